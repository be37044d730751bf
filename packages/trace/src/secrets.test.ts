import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { findSecrets, maskSecrets } from './secrets.ts'

const anthropic = `sk-ant-api03-${'Ab1_'.repeat(20)}`
const project = `sk-proj-${'Ab1-'.repeat(12)}x`
const plain = `sk-${'Ab1c'.repeat(12)}`

test.each([
  ['sk-ant', anthropic],
  ['sk-proj', project],
  ['sk-', plain],
  ['bearer-token', 'Bearer abcdefghijklmnop=='],
])('%s is found with its place and masked', (kind, secret) => {
  const value = { a: [{ b: `OPENAI_API_KEY="${secret}"\n` }] }
  expect(findSecrets(value)).toEqual([{ where: 'a[0].b', kind }])
  expect(maskSecrets(value.a[0]?.b as string)).toBe('OPENAI_API_KEY="[redacted]"\n')
})

test('a secret member name is found, and masked in the place that is reported', () => {
  const [found] = findSecrets({ deep: { [plain]: { token: plain } } })
  expect(found).toEqual({ where: 'deep', kind: 'sk-' })
  expect(JSON.stringify(findSecrets({ deep: { [plain]: { token: plain } } }))).not.toContain(plain)
})

test('text about keys is no key', () => {
  const harmless = [
    'toolu_01',
    'sk-ant',
    'sk-proj-…',
    'task-based-work-with-a-long-name-and-more-words',
    'Bearer',
    'risk-1',
  ]
  expect(findSecrets(harmless)).toEqual([])
})

test('base64 that holds sk- by chance is no key', () => {
  for (let seed = 0; seed < 200; seed++) {
    let bytes = Buffer.alloc(0)
    for (let block = 0; block < 96; block++) {
      bytes = Buffer.concat([bytes, createHash('sha256').update(`${seed} ${block}`).digest()])
    }
    const blob = bytes.toString('base64url')
    const cut = 40 + seed * 5
    expect(
      findSecrets([
        blob,
        `${blob.slice(0, cut)}sk-${blob.slice(cut)}`,
        `${blob.slice(0, cut)}-sk-${blob.slice(cut)}`,
        `sk-${blob}`,
      ]),
    ).toEqual([])
  }
})

test('literals are found raw, URL-encoded and in base64 at every alignment', () => {
  const literal = 'p@ss/word+with?odd&chars'
  const options = { literals: [` ${literal}\n`] }
  const carriers = [
    literal,
    `https://host/?key=${encodeURIComponent(literal)}`,
    ...['', 'a', 'ab'].flatMap((prefix) =>
      (['base64', 'base64url'] as const).map((encoding) => Buffer.from(`${prefix}${literal}:rest`).toString(encoding)),
    ),
  ]
  for (const carrier of carriers) {
    expect(findSecrets({ header: carrier }, options)).toEqual([{ where: 'header', kind: 'literal' }])
    expect(maskSecrets(carrier, options.literals)).not.toContain(literal)
    expect(findSecrets(maskSecrets(carrier, options.literals), options)).toEqual([])
  }
  expect(findSecrets('short', { literals: ['short'] })).toEqual([])
})
