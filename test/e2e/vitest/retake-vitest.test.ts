import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'

const files = {
  'greets.test.ts': `import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('greets', async () => {
  useCassette()
  expect(await ask('Hello')).toBe(process.env.ANSWER ?? 'Hello, really?')
})
`,
  'other.test.ts': `import { test } from 'vitest'
test('has no cassette', () => {})
`,
  // What the bin does, on the sources.
  'retake.ts': `import { main } from '${new URL('../../../packages/cli/src/index.ts', import.meta.url).href}'
process.exitCode = await main(process.argv.slice(2))
`,
}

test('retake vitest knows the flag anywhere, passes the rest on, and ends as Vitest does', async () => {
  await using project = await createEchoProject(files)
  const vitest = (...args: string[]) => ['node', 'retake.ts', 'vitest', ...args]
  await project.run({ command: vitest('run') })
  expect(project.provider.requests).toHaveLength(1)

  const again = await project.run({ command: vitest('run', '--update-cassettes', 'greets', '--reporter=verbose') })
  expect(again.exitCode).toBe(0)
  expect(again.stdout).toContain('Test Files  1 passed (1)')
  expect(again.stdout).toContain('Cassettes  1 unchanged')
  expect(project.provider.requests).toHaveLength(2)

  const failing = await project.run({ command: vitest('run'), env: { ANSWER: 'another' } })
  expect(failing.exitCode).toBe(1)
  expect(failing.stdout).toContain('Tests  1 failed | 1 passed (2)')
  const unknown = await project.run({ command: vitest('run', '--no-such-flag') })
  expect(unknown.exitCode).toBe(1)
  expect(unknown.stderr).toContain('Unknown option `--suchFlag`')
  expect(project.provider.requests).toHaveLength(2)
})
