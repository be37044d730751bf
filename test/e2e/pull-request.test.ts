import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMain } from '../../packages/cli/test/run-main.ts'
import { createDemoRepository, type DemoRepository } from '../support/demo-repository.ts'

let repository: DemoRepository
beforeAll(async () => {
  repository = await createDemoRepository()
})
afterAll(() => repository[Symbol.asyncDispose]())

const report = (...args: string[]) => runMain(repository.folder, ['report', ...args])
const count = (text: string, part: string): number => text.split(part).length - 1

test('the comment of a pull request says what the agent does differently', async () => {
  const { code, out, err } = await report('main...HEAD', '--markdown')
  expect([code, err]).toEqual([0, ''])
  await expect(out.replaceAll(/\([0-9a-f]{7}\)/g, '(commit)')).toMatchFileSnapshot('__snapshots__/pull-request.md')
  // All three send the changed prompt; it is one cause.
  expect(count(out, '+ Refund late orders, but keep the shipping of 1.50 €.')).toBe(1)
  expect(count(out, '**Cause:**')).toBe(1)
  expect(out).toContain('`refund.amount` `20` → `18.5`')
  expect(out).toContain('I sent 18.50 € back to your card. The shipping is not refunded.')
})

test('the same for programs', async () => {
  const { out } = await report('main...HEAD', '--json')
  const { verdict, conversations, causes, ...counts } = JSON.parse(out)
  expect(verdict).toBe('the agent acts differently in 2 of 3 conversations')
  expect(counts).toMatchObject({ changed: 3, actsDifferently: 2, unchanged: 0, broken: [] })
  expect(conversations[0].behavior).toMatchObject([
    { area: 'argument', name: 'refund.amount', kind: 'changed', before: 20, after: 18.5 },
    { area: 'answer', kind: 'changed' },
  ])
  expect(causes).toHaveLength(1)
  expect(causes[0]).toMatchObject({ area: 'system', kind: 'changed' })
  expect(causes[0].files).toHaveLength(3)
})

test('three dots compare with where the branch left, two with the other tip', async () => {
  const tip = repository.git('rev-parse', '--short=7', 'main').trim()
  expect((await report('main..HEAD')).out).toContain(`main (${tip}) → HEAD`)
  expect((await report('main...HEAD')).out).not.toContain(tip)
})

test('sides that are the same have no rows', async () => {
  for (const args of [['HEAD'], ['HEAD', 'shipping'], ['.', '.']]) {
    const { code, out } = await report(...args, '--exit-code')
    expect([code, out]).toEqual([0, expect.stringMatching(/^retake: no conversation changed {2}.* → .*\n$/)])
  }
  expect((await report('HEAD', '--markdown')).out).toMatch(/### retake: no conversation changed\n\n3 conversations · /)
})

test('a gone, a new, a moved and a broken cassette', async () => {
  const at = repository.cassette
  const text = await readFile(join(repository.folder, at('late')), 'utf8')
  await repository.write({
    'test/__cassettes__/other.test.ts/moved.cassette.json': text,
    [at('hours')]: '{ "version": 3',
    'test/__cassettes__/other.test.ts/new.cassette.json': text.replace(/"id": "run_\w+"/, '"id": "run_new"'),
  })
  await rm(join(repository.folder, at('late')))
  await rm(join(repository.folder, at('fresh')))
  const { code, out } = await report('HEAD', '--markdown')
  expect(code).toBe(1)
  // Two of the four rows: what is broken hides nothing of the others.
  expect(out).toContain('### retake: 2 cassettes cannot be read; 1 conversation gone, 1 moved')
  expect(out).toContain('moved from `test/__cassettes__/refund.test.ts/refunds-a-late-order.cassette.json`')
  expect(out).toMatch(/\| − \| refund agent › refuses a fresh order \| gone \|/)
  expect(out).toMatch(/`test\/__cassettes__\/other.test.ts\/new.cassette.json`: `.*seal/)
  repository.git('checkout', '-q', '.')
  await rm(join(repository.folder, 'test/__cassettes__/other.test.ts'), { recursive: true })
})

test('a cassette that could not be read before is no new one', async () => {
  const path = repository.cassette('late')
  const text = await readFile(join(repository.folder, path), 'utf8')
  await repository.write({ 'before/a.cassette.json': '<<<<<<< ours\n', 'after/a.cassette.json': text })
  const { code, out } = await report('before', 'after')
  expect(code).toBe(0)
  expect(out).toContain('retake: 1 conversation readable again')
  expect(out).toMatch(/could not be read before: .*merge conflict/)
  expect((await report('before', 'after', '--markdown')).out).toMatch(/\| could not be read before: `.*merge conflict/)
  const [only] = JSON.parse((await report('before', 'after', '--json')).out).conversations
  expect(only).toMatchObject({ kind: 'added', problemBefore: expect.stringContaining('merge conflict') })
  await rm(join(repository.folder, 'before'), { recursive: true })
  await rm(join(repository.folder, 'after'), { recursive: true })
})

test('what git does not know cannot be judged', async () => {
  for (const [args, reason] of [
    [['nowhere...HEAD'], 'git knows no commit "nowhere"'],
    [['--upload-pack=x..HEAD'], 'report has no flag'],
    [['test', 'nowhere'], '"test" is a folder, and "nowhere" is none'],
    [['nowhere', 'test'], '"test" is a folder, and "nowhere" is none'],
    [['a', 'b', 'c'], 'report takes two sides, not 3'],
    [['--json', '--markdown'], 'exclude each other'],
  ] as const) {
    const { code, out, err } = await report(...args)
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(reason)])
  }
})
