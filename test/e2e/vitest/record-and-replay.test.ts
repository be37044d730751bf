import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
import type { ModelProject } from '../../support/model-project.ts'

const file = 'greets.test.ts/greets.cassette.json'
let project: ModelProject

beforeAll(async () => {
  project = await createEchoProject({
    'greets.test.ts': `import { expect, test } from 'vitest'
import { expectCassette, useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('greets', async () => {
  const cassette = useCassette()
  const answer = await ask(process.env.ASK ?? 'Hello')
  expect(answer).toMatch(/really/)
  expectCassette(cassette).toHaveFinalAnswer(answer)
  expectCassette(cassette).toBeVerified()
})
`,
    'snapshot.test.ts': `import { expect, test } from 'vitest'
test('has a snapshot', () => expect(process.env.SNAPSHOT ?? 'old').toMatchSnapshot())
`,
  })
})
afterAll(() => project[Symbol.asyncDispose]())

test('the first run records', async () => {
  const { exitCode, stdout } = await project.run()
  expect(exitCode).toBe(0)
  expect(stdout).toContain(
    '\n  Cassettes  1 recorded\n             ↳ recorded  __cassettes__/greets.test.ts/greets.cassette.json\n       Live  1 call, 31 tokens in, 17 out,',
  )
  expect(Object.keys(await project.cassettes())).toEqual([file])
  expect((await project.cassettes())[file]).not.toContain('sk-of-the-test')
})

test('later runs replay, without the provider and without a key', async () => {
  const before = await project.files()
  const { exitCode, stdout } = await project.run({ env: { MODEL_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: '' } })
  expect(stdout).toContain('\n  Cassettes  1 replayed\n')
  expect(stdout).not.toContain('Live')
  expect(exitCode).toBe(0)
  expect(await project.files()).toEqual(before)
})

test('a changed prompt fails: the difference first, the error of the SDK as its cause', async () => {
  const before = await project.cassettes()
  const sent = project.provider.requests.length
  const { exitCode, stdout, stderr } = await project.run({ env: { ASK: 'Goodbye' } })
  expect(exitCode).toBe(1)
  expect(stdout).toContain('\n  Cassettes  1 failed\n')
  const [, failure = ''] = stderr.split('FAIL')
  expect(failure).toMatch(/^ {2}greets\.test\.ts > greets\nCassetteMismatchError: request 1 /)
  expect(failure).toMatch(/- .*Hello.*\+ .*Goodbye.*Caused by: BadRequestError: 400 \[retake\]/s)
  expect(failure).not.toContain('Serialized Error')
  expect(stderr.split('FAIL')).toHaveLength(2)
  expect(project.provider.requests).toHaveLength(sent)
  expect(await project.cassettes()).toEqual(before)
})

const preload =
  "--import=data:text/javascript,(a=>(i=>i>1&&(process.env.RETAKE_FLAG=a[i].split('=')[1]||'update',a.splice(i,1)))" +
  '(a.findIndex(x=>/^--update-cassettes(=|$)/.test(x))))(process.argv)'

describe('records again with', () => {
  test.each([
    ['vitest run --update.cassettes', ['vitest', 'run', '--update.cassettes'], {}],
    ['vitest run -- --update-cassettes', ['vitest', 'run', '--', '--update-cassettes'], {}],
    ['the line of .npmrc', ['vitest', 'run', '--update-cassettes'], { NODE_OPTIONS: preload }],
    ['RETAKE=update', ['vitest', 'run'], { RETAKE: 'update' }],
  ])('%s, and leaves snapshots alone', async (name, command, env) => {
    const before = await project.files()
    const { exitCode, stdout, stderr } = await project.run({ command, env: { ...env, ASK: name, SNAPSHOT: 'new' } })
    expect(stdout).toContain('\n  Cassettes  1 updated\n             ↳ updated  __cassettes__/')
    expect((await project.cassettes())[file]).toContain(`${name}, really?`)
    expect(stderr).toContain('Snapshot `has a snapshot 1` mismatched')
    expect(exitCode).toBe(1)
    const path = '__snapshots__/snapshot.test.ts.snap'
    expect((await project.files())[path]).toBe(before[path])
  })
})

test('-u updates snapshots and no cassette', async () => {
  const before = await project.cassettes()
  const { stdout, stderr } = await project.run({
    command: ['vitest', 'run', '-u'],
    env: { ASK: 'Never asked', SNAPSHOT: 'new' },
  })
  expect(stdout).toContain('1 failed')
  expect(stderr).toContain('CassetteMismatchError')
  expect((await project.files())['__snapshots__/snapshot.test.ts.snap']).toContain('"new"')
  expect(await project.cassettes()).toEqual(before)
})

test('an update that says the same leaves the file alone', async () => {
  const before = await project.cassettes()
  const env = { RETAKE: 'update', ASK: 'RETAKE=update', SNAPSHOT: 'new' }
  expect((await project.run({ env })).stdout).toContain('\n  Cassettes  1 unchanged\n')
  expect(await project.cassettes()).toEqual(before)
})
