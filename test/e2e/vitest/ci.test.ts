import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
import type { ModelProject } from '../../support/model-project.ts'

const ci = { CI: 'true' }
let project: ModelProject

beforeAll(async () => {
  project = await createEchoProject({
    'greets.test.ts': `import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('greets', async ({ task }) => {
  expect(task.timeout).toBe(Number(process.env.TIMEOUT))
  useCassette()
  await ask('Hello')
})
test('is committed with mode update', async () => {
  useCassette({ mode: 'update' })
  await ask('Hello again')
})
`,
    'every.test.ts': `import { test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
useCassette()
test('calls a model', async () => {
  await ask('Hello').catch(() => {})
})
test('calls none', () => {})
`,
  })
})
afterAll(() => project[Symbol.asyncDispose]())

test('nothing is recorded under CI, not by -u and not by an update in code', async () => {
  for (const command of [
    ['vitest', 'run', '-u'],
    ['vitest', 'run', '--update.cassettes'],
  ]) {
    const { exitCode, stdout, stderr } = await project.run({ command, env: { ...ci, TIMEOUT: '5000' } })
    expect(exitCode).toBe(1)
    expect(stdout).toContain('Tests  3 failed | 1 passed (4)')
    expect(stdout).toContain('\n  Cassettes  3 failed')
    expect(stderr.match(/^CassetteMissingError: no cassette for "[^"]+", and recording is off/gm)).toHaveLength(3)
  }
  expect(project.provider.requests).toHaveLength(0)
  expect(await project.cassettes()).toEqual({})
})

test('RETAKE=update records under CI, with time to do so', async () => {
  const { exitCode } = await project.run({ env: { ...ci, RETAKE: 'update', TIMEOUT: '120000' } })
  expect(exitCode).toBe(0)
  expect(Object.keys(await project.cassettes())).toEqual([
    'every.test.ts/calls-a-model.cassette.json',
    'greets.test.ts/greets.cassette.json',
    'greets.test.ts/is-committed-with-mode-update.cassette.json',
  ])
})

test('what is recorded replays under CI', async () => {
  const sent = project.provider.requests.length
  const { exitCode, stdout } = await project.run({ env: { ...ci, TIMEOUT: '5000' } })
  expect(exitCode).toBe(0)
  expect(stdout).toContain('Cassettes  3 replayed')
  expect(project.provider.requests).toHaveLength(sent)
})

test('a time-out of the user stays as it is, also one of the default length', async () => {
  await project.write({
    'vitest.config.ts': `import { retake } from 'retake/vitest'
export default {
  plugins: [retake()],
  test: {
    projects: [
      { extends: true, test: { name: 'chosen', testTimeout: 5000 } },
      { extends: true, test: { name: 'default' } },
    ],
  },
}
`,
    'greets.test.ts': `import { expect, test } from 'vitest'
test('has its time', ({ task }) => {
  expect(task.timeout).toBe(JSON.parse(process.env.TIMEOUT)[task.file.projectName || 'root'])
})
`,
  })
  const run = async (timeouts: object, ...args: string[]) => {
    const command = ['vitest', 'run', 'greets', ...args]
    const { stderr } = await project.run({ command, env: { TIMEOUT: JSON.stringify(timeouts) } })
    expect(stderr).toBe('')
  }
  await run({ chosen: 5000, default: 120_000 })
  await run({ chosen: 5000, default: 5000 }, '--testTimeout=5000')
  for (const timeout of [5000, 7000]) {
    await project.write({
      'vitest.config.ts': `import { retake } from 'retake/vitest'
export default { plugins: [retake()], test: { testTimeout: ${timeout} } }
`,
    })
    await run({ root: timeout })
  }
}, 120_000)
