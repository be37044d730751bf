import { createHash } from 'node:crypto'
import { relative, sep } from 'node:path'
import { ConfigError } from '@retake/trace'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cassettePath } from './cassette-path.ts'

const testFile = '/app/test/refund.test.ts'
const nameOf = (parts: string[], duplicate = 1) =>
  cassettePath({ testFile, dir: '__cassettes__', parts, duplicate }).name
const hashOf = (parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)

describe('plain titles', () => {
  test('keep their words', () => {
    expect(nameOf(['refunds a late order'])).toBe('refunds-a-late-order')
    expect(nameOf(['refund agent', 'late order 2'])).toBe('refund-agent--late-order-2')
  })

  test('lie in a folder named after the whole test file', () => {
    expect(cassettePath({ testFile, dir: '__cassettes__', parts: ['late order'], duplicate: 1 }).path).toBe(
      '/app/test/__cassettes__/refund.test.ts/late-order.cassette.json',
    )
  })

  test('may take 120 characters', () => {
    expect(nameOf(['a'.repeat(120)])).toBe('a'.repeat(120))
    expect(nameOf(['a'.repeat(121)])).toBe(`${'a'.repeat(111)}-${hashOf(['a'.repeat(121)])}`)
  })
})

describe('every other title', () => {
  test.each([
    [['Refunds a late order'], 'refunds-a-late-order'],
    [['refund agent', 'late order!'], 'refund-agent--late-order'],
    [['two  spaces'], 'two-spaces'],
    [[' padded '], 'padded'],
    [['../../etc/passwd'], 'etc-passwd'],
    [['con'], 'con'],
    [['agent', 'lpt1'], 'agent--lpt1'],
    [['half-and-half'], 'half-and-half'],
    [['fi ﬁ ①'], 'fi-fi-1'],
    [['日本', 'late'], 'late'],
  ])('%j is its slug and a hash', (parts, slug) => {
    expect(nameOf(parts)).toBe(`${slug}-${hashOf(parts)}`)
  })

  test('is the hash alone where nothing of it can be spelled', () => {
    expect(nameOf(['日本'])).toBe(hashOf(['日本']))
    expect(nameOf([''])).toBe(hashOf(['']))
  })
})

test('a second test of the same titles gets a number', () => {
  expect(nameOf(['late order'], 2)).toBe('late-order.2')
  expect(nameOf(['Late'], 3)).toBe(`late-${hashOf(['Late'])}.3`)
})

describe('a name', () => {
  const named = (name: string) =>
    cassettePath({ testFile, dir: '__cassettes__', parts: ['x'], duplicate: 2, name }).name

  test('is one part and is not numbered', () => {
    expect(named('shared run')).toBe('shared-run')
    expect(named('a/b')).toBe(`a-b-${hashOf(['a/b'])}`)
  })

  test('must not be empty', () => {
    expect(() => named(' ')).toThrow(ConfigError)
  })
})

test.each(['/tmp/cassettes', '..', '../shared', 'a/../../b', 'a\\..\\b'])('the folder %s is refused', (dir) => {
  expect(() => cassettePath({ testFile, dir, parts: ['x'], duplicate: 1 })).toThrow(ConfigError)
})

describe('for any titles', () => {
  const title = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', 'A', 'b', ' ', '-', '.', '/', '\\', '2', 'é', '\u0000') }),
    fc.constantFrom('con', 'aux', '..', '.', 'NUL', 'com1', 'x'.repeat(300)),
  )
  const titles = fc.array(title, { minLength: 1, maxLength: 4 })

  test('nothing escapes the folder of the test file, and names are portable', () => {
    fc.assert(
      fc.property(titles, fc.integer({ min: 1, max: 99 }), (parts, duplicate) => {
        const { path, name } = cassettePath({ testFile, dir: '__cassettes__', parts, duplicate })
        expect(relative('/app/test/__cassettes__/refund.test.ts', path).split(sep)).toEqual([`${name}.cassette.json`])
        expect(name).toMatch(/^[a-z0-9]+(-{1,2}[a-z0-9]+)*(\.[0-9]+)?$/)
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/)
        expect(name.replace(/\.\d+$/, '').length).toBeLessThanOrEqual(120)
      }),
    )
  })

  test('other titles have another name, without regard to upper case', () => {
    fc.assert(
      fc.property(titles, titles, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other))
        expect(nameOf(one).toLowerCase()).not.toBe(nameOf(other).toLowerCase())
      }),
    )
  })
})
