import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
import { startWatch } from '../../support/watch-project.ts'

const asks = (question: string) => `import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
import { question } from './question.ts'
test('asks', async () => {
  useCassette()
  expect(await ask(question + ${JSON.stringify(question)})).toContain('really?')
})
`
const files = {
  'one.test.ts': asks('one'),
  'two.test.ts': asks('two'),
  'question.ts': "export const question = 'Is this '\n",
}
const cassette = '__cassettes__/one.test.ts/asks.cassette.json'

test('watch: own writes run nothing again, an edited cassette runs its test, and k records', async () => {
  await using project = await createEchoProject(files)
  const env = { MODEL_URL: `${project.provider.url}/v1`, OPENAI_API_KEY: 'sk-of-the-test-1234' }
  await using watch = await startWatch(project, env)
  expect(await watch.nextRun()).toContain('Cassettes  2 recorded')
  expect(await watch.runsAgain()).toBe(false)

  const path = join(project.folder, cassette)
  await writeFile(path, (await readFile(path, 'utf8')).replace('really?', 'truly?'))
  const edited = await watch.nextRun()
  expect(edited).toContain('one.test.ts')
  expect(edited).not.toContain('two.test.ts')
  expect(edited).toContain('CassetteCorruptError')

  watch.press('k')
  const repaired = await watch.nextRun()
  expect(repaired).toContain('Test Files  1 passed')
  expect(project.provider.requests).toHaveLength(3)
  expect(await watch.runsAgain()).toBe(false)

  await project.write({ 'question.ts': "export const question = 'Was this '\n" })
  expect(await watch.nextRun()).toContain('Test Files  2 failed')
  watch.press('k')
  expect(await watch.nextRun()).toContain('Cassettes  2 updated')
  expect(project.provider.requests).toHaveLength(5)
}, 120_000)

test('vitest related and --changed know the test of a cassette', async () => {
  await using project = await createEchoProject(files)
  await project.run()
  const related = await project.run({ command: ['vitest', 'related', '--run', cassette] })
  expect(related.stdout).toContain('Test Files  1 passed (1)')

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: project.folder })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'all')
  await writeFile(join(project.folder, cassette), `${await readFile(join(project.folder, cassette), 'utf8')}\n`)
  const changed = await project.run({ command: ['vitest', 'run', '--changed'] })
  expect(changed.stdout).toContain('Test Files  1 passed (1)')
  expect(changed.stdout).not.toContain('two.test.ts')
})
