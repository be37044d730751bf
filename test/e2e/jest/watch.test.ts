import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createJestEchoProject } from '../../support/jest-project.ts'
import { startJestWatch } from '../../support/watch-project.ts'

const head = `const { useCassette } = require('retake/jest')
const { ask } = require('./agent.js')
`
const asks = (question: string) => `test('asks ${question}', async () => {
  useCassette()
  expect(await ask('${question}')).toContain('really?')
})
`

test('watch: own writes run nothing again, and an edited cassette runs the tests', async () => {
  await using project = await createJestEchoProject({ jest: 30 }, { 'a.test.js': head + asks('one') })
  await project.run()
  const env = { MODEL_URL: `${project.provider.url}/v1`, OPENAI_API_KEY: 'sk-of-the-test-1234' }
  await using watch = startJestWatch(project, ['--watchAll'], env)
  expect(await watch.nextRun()).toContain('Cassettes:   1 replayed, 1 total')

  await project.write({ 'a.test.js': head + asks('one') + asks('two') })
  const second = await watch.nextRun()
  expect(second).toContain('Cassettes:   1 replayed, 1 recorded, 2 total')
  expect(second).toMatch(/ ● recording {2}asks two {2}request 1 {3}answer/)
  expect(await watch.runsAgain()).toBe(false)

  const path = join(project.folder, '__cassettes__/a.test.js/asks-one.cassette.json')
  await writeFile(path, (await readFile(path, 'utf8')).replace('really?', 'truly?'))
  const edited = await watch.nextRun()
  expect(edited).toContain('CassetteCorruptError: the cassette is broken: step 1 was edited')
  // The error that it comes from says nothing more, and where we looked helps nobody.
  expect(edited).not.toContain('Cause:')
  expect(edited).not.toMatch(/retake\/dist/)
  expect(project.provider.requests).toHaveLength(2)
}, 120_000)
