import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { normalizeOutput } from './normalize-output.ts'
import { createProject, runProject } from './run-project.ts'

const plainConfig = { 'vitest.config.ts': 'export default {}' }

test('runs Vitest in a project where the SDKs resolve, without keys', { timeout: 30_000 }, async () => {
  process.env.OPENAI_API_KEY = 'secret'
  const run = await runProject({
    files: {
      ...plainConfig,
      'a.test.ts': `import { writeFileSync } from 'node:fs'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
test('resolves', () => {
  writeFileSync(new URL('written.txt', import.meta.url), String(typeof OpenAI))
  expect({ key: process.env.OPENAI_API_KEY, ci: process.env.CI, own: process.env.OWN }).toEqual({ own: '1' })
})
test('fails', () => expect(1).toBe(2))`,
    },
    env: { OWN: '1' },
  })
  delete process.env.OPENAI_API_KEY

  expect(run.exitCode).toBe(1)
  expect(run.stdout).toContain('Tests  1 failed | 1 passed (2)')
  expect(run.stderr).toContain('expected 1 to be 2')
  expect(run.files['written.txt']).toBe('function')
  expect(Object.keys(run.files)).toEqual(['a.test.ts', 'package.json', 'vitest.config.ts', 'written.txt'])
})

test('keeps a project for several runs and removes it at the end', async () => {
  const project = await createProject(plainConfig)
  const command = ['node', '-e', 'console.log(require("node:fs").readdirSync(".").length, process.cwd())']
  expect(await project.run({ command })).toMatchObject({ exitCode: 0, stdout: '2 <project>\n' })
  await project.write({ 'deep/er/file.txt': 'x' })
  expect(await project.run({ command })).toMatchObject({ stdout: '3 <project>\n', files: { 'deep/er/file.txt': 'x' } })
  await project.remove()
  expect(existsSync(project.folder)).toBe(false)
})

test('kills a run with all its children', async () => {
  await using project = await createProject(plainConfig)
  const kill = new AbortController()
  setTimeout(() => kill.abort(), 300)
  const child =
    'require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 9)"], {stdio: "inherit"})'
  // Its output stays open until the grandchild is gone, so this would time out otherwise.
  const run = await project.run({ command: ['node', '-e', `${child}; setInterval(() => {}, 9)`], signal: kill.signal })
  expect(run.exitCode).toBe(null)
})

test('replaces what changes from run to run', () => {
  const text = '\u001b[31mError\u001b[39m at /repo/a.ts 12ms http://127.0.0.1:4711/v1  \n   Duration  1.2s (tests 3%)\n'
  expect(normalizeOutput(text, { '<repository>': '/repo' })).toBe(
    'Error at <repository>/a.ts <time> http://127.0.0.1:<port>/v1\n   Duration  <time>\n',
  )
})
