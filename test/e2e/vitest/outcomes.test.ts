import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
import type { ModelProject } from '../../support/model-project.ts'

let project: ModelProject

beforeAll(async () => {
  project = await createEchoProject({
    'kept.test.ts': `import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setTimeout as wait } from 'node:timers/promises'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
const broken = process.env.BROKEN === '1'
beforeEach(async () => {
  useCassette()
  await ask(broken ? 'changed' : 'as it was')
})
test('fails', () => expect(broken).toBe(false))
test('fails softly', () => expect.soft(broken).toBe(false))
test('times out', { timeout: broken ? 400 : 5000 }, async () => {
  if (broken) await wait(600)
  if (broken) await ask('too late')
})
test('skips itself', ({ skip }) => {
  if (broken) skip()
})
describe('with a hook', () => {
  afterEach(() => expect(broken).toBe(false))
  test('fails afterwards', () => {})
})
test('comes last, so that what is late can happen', async () => {
  if (broken) await wait(500)
  expect(broken).toBe(false)
})
`,
    'attempts.test.ts': `import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
let attempt = 0
test('passes at the third attempt', { retry: 2 }, async () => {
  useCassette()
  attempt += 1
  await ask(process.env.ATTEMPT ?? 'attempt ' + attempt)
  if (attempt < 3 && !process.env.ATTEMPT) throw new Error('not yet')
})
test('is repeated', { repeats: 3 }, async () => {
  useCassette()
  await ask('again and again')
})
`,
    'misses.test.ts': `import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
const question = process.env.BROKEN === '1' ? 'changed' : 'as it was'
test('swallows what goes wrong', async () => {
  useCassette()
  await ask(question).catch(() => 'never mind')
})
test('goes on with a wrong answer', async () => {
  useCassette()
  const answer = await ask(question).catch(() => 'sorry')
  expect(answer).toBe('as it was, really?')
})
test.fails('is expected to fail', async () => {
  useCassette()
  await ask(question)
  expect(1).toBe(2)
})
test('stops early', async () => {
  useCassette()
  await ask('one')
  if (process.env.BROKEN !== '1') await ask('two')
})
`,
  })
})
afterAll(() => project[Symbol.asyncDispose]())

test('everything is recorded once, a test with retries as it passed', async () => {
  const { exitCode, stdout } = await project.run()
  expect(stdout).toContain('Cassettes  12 recorded')
  // 6 + 3 attempts + 1 of 4 repetitions + 5
  expect(stdout).toContain('\n       Live  15 calls')
  expect(exitCode).toBe(0)
  const cassettes = await project.cassettes()
  const retried = cassettes['attempts.test.ts/passes-at-the-third-attempt.cassette.json']
  expect(retried).toContain('attempt 3')
  expect(retried).not.toMatch(/attempt [12]/)
  expect(cassettes['attempts.test.ts/is-repeated.cassette.json']?.match(/model_input/g)).toHaveLength(1)
})

test('a repeated test records once in an update too', async () => {
  const sent = project.provider.requests.length
  const command = ['vitest', 'run', 'attempts']
  const { stdout } = await project.run({ command, env: { RETAKE: 'update', ATTEMPT: 'attempt 3' } })
  expect(stdout).toContain('Cassettes  2 unchanged')
  expect(project.provider.requests.length - sent).toBe(2)
})

test('a test that fails, times out or skips leaves its file as it was', async () => {
  const before = await project.cassettes()
  const { exitCode, stdout, stderr } = await project.run({
    command: ['vitest', 'run', 'kept'],
    env: { RETAKE: 'update', BROKEN: '1' },
  })
  expect(exitCode).toBe(1)
  expect(stdout).toContain('Tests  5 failed | 1 skipped (6)')
  expect(stdout).toContain('Cassettes  6 discarded')
  expect(stderr).toContain('Test timed out in <time>')
  expect(stderr).not.toContain('LateRequestError')
  expect(project.provider.requests.map(({ text }) => text).join()).not.toContain('too late')
  expect(await project.cassettes()).toEqual(before)
})

test('a miss fails the test whatever the test makes of it', async () => {
  const before = await project.cassettes()
  const { exitCode, stdout, stderr } = await project.run({
    command: ['vitest', 'run', 'misses'],
    env: { BROKEN: '1' },
  })
  expect(exitCode).toBe(1)
  expect(stdout).toContain('Tests  3 failed | 1 expected fail (4)')
  expect(stdout).toContain('Cassettes  4 failed')
  const failures = stderr.split('FAIL').map((text) => text.trim().split('\n'))
  // Tests that fail with the same difference are listed together, above their error.
  const errorAt = (n: number): string | undefined => failures[n]?.[1] ?? (failures[n] && errorAt(n + 1))
  const of = (title: string) => failures.flatMap(([head], n) => (head?.includes(title) ? [errorAt(n)] : []))
  expect(of('swallows what goes wrong')).toEqual([expect.stringMatching(/^CassetteMismatchError: request 1 /)])
  expect(of('goes on with a wrong answer')).toEqual([
    expect.stringMatching(/^CassetteMismatchError: request 1 /),
    expect.stringContaining("expected 'sorry' to be 'as it was, really?'"),
  ])
  expect(of('misses.test.ts [ misses.test.ts ]')).toEqual([
    'CassetteMismatchError: "is expected to fail" is marked to fail, but its cassette must fit all the same.',
  ])
  expect(of('stops early')).toEqual([expect.stringMatching(/^UnusedStepsError: /)])
  expect(await project.cassettes()).toEqual(before)
})
