import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
import { runInTerminal } from '../../support/pseudo-terminal.ts'
import { vitestProgram } from '../../support/vitest-under-test.ts'

test('who sits at a terminal sees each reply while it is recorded, and nothing while it is replayed', async () => {
  await using project = await createEchoProject({
    'asks.test.ts': `import { describe, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
describe('agent', () => {
  test('asks twice', async () => {
    useCassette()
    await ask('Hello')
    await ask('Hello again')
  })
})
`,
    'terminal.mjs': "Object.defineProperty(process.stdout, 'isTTY', { value: true })\n",
  })
  const lines = async () => {
    const { stdout } = await project.run({ command: ['node', '--import', './terminal.mjs', vitestProgram, 'run'] })
    return stdout.split('\n').filter((line) => line.includes('● recording'))
  }
  expect(await lines()).toEqual([
    expect.stringMatching(/ ● recording {2}agent > asks twice {2}request 1 {3}answer {3}/),
    expect.stringMatching(/ ● recording {2}agent > asks twice {2}request 2 {3}answer {3}/),
  ])
  expect(await lines()).toEqual([])
})

test('without a terminal a long recording says every 30 seconds that it is still there', async () => {
  await using project = await createEchoProject({
    'asks.test.ts': `import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('asks twice', async () => {
  useCassette()
  await ask('Hello')
  while (!existsSync('told')) await setTimeout(10)
  await ask('Hello again')
})
`,
    // What is done every 30 s is done at once, and the test waits until it was.
    'quick.mjs': `import { writeFileSync } from 'node:fs'
const { setInterval } = globalThis
globalThis.setInterval = (work, ms, ...rest) => setInterval(work, ms === 30_000 ? 20 : ms, ...rest)
const { write } = process.stdout
process.stdout.write = (text, ...rest) => {
  if (/still recording.*request 2/.test(text)) writeFileSync('told', '')
  return write.call(process.stdout, text, ...rest)
}
`,
  })
  const { exitCode, stdout } = await project.run({ command: ['node', '--import', './quick.mjs', vitestProgram, 'run'] })
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^still recording {2}asks twice {2}request 2 {2}(\d+ s|<time>)$/m)
  expect(stdout).toContain('Cassettes  1 recorded')
})

test.each([
  ['vitest run', ['run'], 130],
  ['watch mode', [], 1],
])('Ctrl-C while recording writes nothing, and says so: %s', async (_, args, code) => {
  await using project = await createEchoProject({
    'asks.test.ts': `import { test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('asks', async () => {
  useCassette()
  await ask('Hello')
  await ask('Take your time')
})
`,
  })
  const before = await project.files()
  const env = { MODEL_URL: `${project.provider.url}/v1`, OPENAI_API_KEY: 'sk-of-the-test-1234' }
  const { screen, exitCode } = await runInTerminal(
    project.folder,
    ['vitest', ...args],
    [[/recording {2}asks/, '\u0003']],
    env,
  )
  expect(screen).toContain('[retake] stopped while recording "asks", after 1 reply: nothing of it was written\n')
  expect(exitCode).toBe(code)
  expect(await project.files()).toEqual(before)
})
