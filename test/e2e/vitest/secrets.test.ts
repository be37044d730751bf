import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'

const key = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5'}`
const asks = `import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('asks', async () => {
  useCassette()
  expect(await ask('Push with ${key}')).toContain('Push with')
})
`
const config = (options: string) => `import { retake } from 'retake/vitest'
export default { plugins: [retake(${options})] }
`

test('a recording with a key in it fails its test, which names the place and not the key', async () => {
  await using project = await createEchoProject({ 'asks.test.ts': asks })
  const { exitCode, stdout, stderr } = await project.run()
  expect(exitCode).toBe(1)
  expect(stderr).toContain(
    'SecretFoundError: the recording was not written: it contains what looks like a key (github token)',
  )
  expect(stderr).toContain('step 0 payload.messages[0].content')
  expect((stdout + stderr).replaceAll(`await ask('Push with ${key}')`, '')).not.toContain(key)
  expect(await project.cassettes()).toEqual({})
})

test('a pattern in the config takes it out of every cassette, and the run replays', async () => {
  await using project = await createEchoProject({
    'asks.test.ts': asks,
    'vitest.config.ts': config('{ redact: [/ghp_\\w+/] }'),
  })
  expect((await project.run()).exitCode).toBe(0)
  const cassettes = Object.values(await project.cassettes())
  expect(cassettes).toHaveLength(1)
  expect(cassettes[0]).toContain('Push with [redacted], really?')
  expect(cassettes[0]).not.toContain(key)
  await project.provider.stop()
  const replay = await project.run({ env: { CI: 'true' } })
  expect(replay.stdout).toMatch(/1 passed/)
  expect(replay.exitCode).toBe(0)
})

test('a function in the config stops the run in one sentence', async () => {
  await using project = await createEchoProject({
    'asks.test.ts': asks,
    'vitest.config.ts': config('{ redact: [(text) => text] }'),
  })
  const { exitCode, stderr } = await project.run()
  expect(exitCode).toBe(1)
  expect(stderr).toContain('a function does not reach the workers: give it to useCassette()')
})
