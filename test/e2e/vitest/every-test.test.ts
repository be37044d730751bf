import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
import { type ManyRun, type ManyRunResult, runMany } from '../../support/many-runs.ts'
import type { ModelProject } from '../../support/model-project.ts'

let project: ModelProject
let refused: ManyRunResult | undefined
let sentUnderCi: string[] | undefined
let allowedByHost: ManyRunResult | undefined
let allowed: ManyRunResult | undefined
let forbidden: ManyRunResult | undefined
let recorded: ManyRunResult | undefined
let replayed: ManyRunResult | undefined
let shared: ManyRunResult | undefined
let sharedAgain: ManyRunResult | undefined

beforeAll(async () => {
  project = await createEchoProject({
    'vitest.config.ts': `import { retake } from 'retake/vitest'
const shared = (name) => ({ extends: true, test: { name, include: ['own.test.ts'] } })
export default {
  plugins: [retake(JSON.parse(process.env.OPTIONS ?? '{}'))],
  // The first refusal waits for what refuses to be loaded, here from sources.
  test: { maxWorkers: 1, testTimeout: 60_000, hookTimeout: 60_000, ...(process.env.SHARED && { projects: [shared('one'), shared('two')] }) },
}
`,
    'plain.test.ts': `import http from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { ask } from './agent.ts'
test('asks', async () => {
  expect(await ask('Hello').catch(() => 'refused')).toMatch(/really|refused/)
})
test('asks nothing', async () => {
  expect(await fetch(process.env.MODEL_URL + '/models').then(({ status }) => status)).toBe(404)
})
test('talks to a server of its own', async () => {
  const answer = await new Promise((done) => http.get(process.env.MODEL_URL + '/x', done))
  expect(answer.statusCode).toBe(404)
})
describe('in a hook', () => {
  beforeEach(async () => {
    await ask('Who is there?').catch(() => {})
  })
  test('asks', () => {})
})
`,
    'early.test.ts': `import { beforeAll, expect, test } from 'vitest'
import { ask } from './agent.ts'
beforeAll(async () => {
  await ask('Before all').catch(() => {})
})
test('asks nothing', () => {})
let goOn
let late
test.runIf(process.env.CI)('waits for nothing', () => {
  const over = new Promise((done) => { goOn = done })
  late = over.then(() => ask('When it is over')).catch(({ message }) => message)
})
test.runIf(process.env.CI)('goes on', async () => {
  goOn()
  expect(await late).toMatch(/really|not sent/)
})
`,
    'own.test.ts': `import { test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('has a cassette of its own name', async () => {
  useCassette({ name: 'mine' })
  await ask('Hello')
})
test('does without', async () => {
  useCassette({ mode: 'off' })
  await ask('Hello')
})
`,
  })
  const plain = (options: object): ManyRun => ({
    args: ['plain', 'early'],
    env: { OPTIONS: JSON.stringify(options) },
  })
  ;[refused] = await runMany(project, [plain({})], { CI: 'true' })
  sentUnderCi = project.provider.requests.filter(({ method }) => method === 'POST').map(({ text }) => text)
  const ci = [plain({ allow: ['127.0.0.1'] }), plain({ withoutCassette: 'allow' })]
  ;[allowedByHost, allowed] = await runMany(project, ci, { CI: 'true' })
  const everyTest = { env: { OPTIONS: '{"everyTest":true}' } }
  const remove = ['__cassettes__/own.test.ts/mine.cassette.json']
  ;[forbidden, recorded, replayed, shared, sharedAgain] = await runMany(project, [
    plain({ withoutCassette: 'error' }),
    everyTest,
    everyTest,
    { env: { SHARED: '1' }, remove },
    { env: { SHARED: '1' } },
  ])
}, 120_000)
afterAll(() => project[Symbol.asyncDispose]())

test('under CI a model call of a test without a cassette is refused, and nothing else', () => {
  expect(refused?.exitCode).toBe(1)
  expect(refused?.stdout).toContain('Tests  2 failed | 5 passed (7)')
  expect(refused?.stderr).toContain('UnattributedRequestError: a model request was made while no cassette was active')
  expect(
    refused?.stderr.match(/^CassetteMissingError: a test without a cassette made a model call, which was not sent/gm),
  ).toHaveLength(3)
  // Of a test that was over by then its file tells.
  expect(refused?.stderr).toMatch(
    /FAIL {2}early\.test\.ts[^>]*CassetteMissingError: .*\n {2}test {5}waits for nothing\n/s,
  )
  expect(sentUnderCi).toEqual([])
  expect(refused?.stderr).toContain("Then allow: ['127.0.0.1:<port>'], or withoutCassette: 'allow'")
})

test('it may be let through, by host or altogether', () => {
  expect([allowedByHost?.stderr, allowed?.stderr]).toEqual(['', ''])
  expect([allowedByHost?.exitCode, allowed?.exitCode]).toEqual([0, 0])
})

test('elsewhere it is up to the author of the test, unless it is forbidden', () => {
  expect(forbidden?.stderr).toContain('CassetteMissingError: a test without a cassette made a model call, which was')
})

test('with everyTest every test that makes a model call has a cassette', () => {
  expect(recorded?.stderr).toBe('')
  expect(recorded?.stdout).toContain('Cassettes  3 recorded')
  expect(recorded?.cassettes).toEqual(['own.test.ts/mine', 'plain.test.ts/asks', 'plain.test.ts/in-a-hook--asks'])
  expect(replayed?.stdout).toContain('\n  Cassettes  3 replayed\n')
  expect(replayed?.exitCode).toBe(0)
})

test('two projects share the cassettes of a test file', () => {
  expect(shared?.stdout).toContain('Cassettes  1 replayed | 1 recorded (2)')
  expect(sharedAgain?.stdout).toContain('\n  Cassettes  2 replayed\n')
})
