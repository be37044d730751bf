import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
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
