import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createJestEchoProject } from '../../support/jest-project.ts'

const timeout = 120_000
const head = `const { useCassette } = require('retake/jest')\nconst { ask } = require('./agent.js')\n`
const asks = (title: string, question = title) =>
  `test('${title}', async () => {\n  useCassette()\n  await ask('${question}')\n})\n`
const offline = { MODEL_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: '' }
// Written out, Vitest would take it for this file's.
const environment = (name: string) => `/** @jest-${'environment'} ${name} */`
const folder = '__cassettes__/a.test.js'

test('obsolete cassettes: listed, failing under CI, kept by filters and shards, removed by an update', {
  timeout,
}, async () => {
  await using project = await createJestEchoProject(
    { jest: 30 },
    { 'a.test.js': head + asks('stays') + asks('goes'), 'b.test.js': head + asks('other') },
  )
  await project.run()
  await project.write({ 'a.test.js': head + asks('stays') })

  const listed = await project.run({ env: offline })
  expect(listed.exitCode).toBe(0)
  expect(listed.stderr).toContain(
    `\nCassettes:   2 replayed, 1 obsolete, 3 total\n             ↳ obsolete  ${folder}/goes.cassette.json  (its test is gone)\n             remove: npx retake prune\n`,
  )
  const underCi = await project.run({ command: ['jest', '--ci'], env: offline })
  expect(underCi.exitCode).toBe(1)
  expect(underCi.stderr).toContain('they fail the run under CI')

  const sharded = await project.run({ command: ['jest', '--shard=1/1'], env: offline })
  expect(sharded.stderr).toContain('\nCassettes:   2 replayed, 2 total\n')
  const filtered = await project.run({ command: ['jest', '-t', 'other'], env: offline })
  expect(filtered.stderr).toContain('\nCassettes:   1 replayed, 1 obsolete, 2 total\n')

  const pruned = await project.run({ command: ['node', '../node_modules/retake/bin/retake.mjs', 'prune'] })
  expect(pruned.stdout).toContain(`obsolete  ${folder}/goes.cassette.json`)

  await project.write({ 'tmp/.keep': '' })
  const updated = await project.run({
    command: ['jest', 'a.test', '-w', '2'],
    env: { RETAKE: 'update', TMPDIR: join(project.folder, 'tmp') },
  })
  expect(updated.stderr).toContain(`↳ removed  ${folder}/goes.cassette.json`)
  expect(Object.keys(await project.cassettes()).toSorted()).toEqual([
    'a.test.js/stays.cassette.json',
    'b.test.js/other.cassette.json',
  ])
  // What workers have told is gone with the run.
  expect((await readdir(join(project.folder, 'tmp'))).filter((name) => name.startsWith('retake'))).toEqual([])
})

test('what a test may not do fails it, whatever it makes of it', { timeout }, async () => {
  const files = {
    'a.test.js': `${head}
test('swallows', async () => {
  useCassette()
  await ask(process.env.QUESTION ?? 'Hello').catch(() => {})
})
test.failing('fails on its cassette', async () => {
  useCassette()
  await ask(process.env.QUESTION ?? 'Hello')
  throw new Error('as it should')
})
test('asks afterwards', () => {
  useCassette()
  setTimeout(() => ask('late').catch(() => {}), 50)
})
test('waits', () => new Promise((resolve) => setTimeout(resolve, 400)))
`,
    'b.test.js': `${head}test('has no cassette', async () => {\n  await ask('Hello').catch(() => {})\n})\n`,
  }
  await using project = await createJestEchoProject({ jest: 30 }, files)
  const first = await project.run()
  expect(first.exitCode).toBe(1)
  expect(first.stderr).toContain('LateRequestError: the test "asks afterwards" made a model request after it had ended')

  const { exitCode, stderr } = await project.run({ command: ['jest', '--ci'], env: { ...offline, QUESTION: 'Bye' } })
  expect(exitCode).toBe(1)
  expect(stderr).toContain('● swallows\n\n    CassetteMismatchError: request 1 of 1 differs')
  expect(stderr).toContain(
    'CassetteMismatchError: "fails on its cassette" is marked to fail, but its cassette must fit',
  )
  expect(stderr).toContain('● has no cassette\n\n    CassetteMissingError: a test without a cassette made a model call')
})

test('-u updates snapshots and no cassette; a missing cassette under CI fails', { timeout }, async () => {
  const text = `${head}test('asks', async () => {\n  useCassette()\n  expect(await ask('Hello')).toMatchSnapshot()\n})\n`
  await using project = await createJestEchoProject({ jest: 29 }, { 'a.test.js': text })
  const missing = await project.run({ command: ['jest', '--ci'] })
  expect(missing).toMatchObject({ exitCode: 1 })
  expect(missing.stderr).toContain('no cassette for "asks", and recording is off because this is CI')
  await project.run()
  const recorded = await project.cassettes()
  await project.write({ 'a.test.js': text.replace("ask('Hello'))", "ask('Hello')).toUpperCase()") })
  await project.write({
    'a.test.js': text.replace("expect(await ask('Hello'))", "expect((await ask('Hello')).length)"),
  })
  const updated = await project.run({ command: ['jest', '-u'], env: offline })
  expect(updated).toMatchObject({ exitCode: 0 })
  expect(updated.stderr).toContain('1 snapshot updated')
  expect(await project.cassettes()).toEqual(recorded)
})

test('jsdom, an environment of the project, and options', { timeout }, async () => {
  const page = `${environment('retake/jest/jsdom')}
const { useCassette } = require('retake/jest')
const axios = require('axios')
test('asks in a page', async () => {
  useCassette()
  const body = { model: 'gpt-5.5', messages: [{ role: 'user', content: document.title || 'Hello' }] }
  const { data } = await axios.post(process.env.MODEL_URL + '/chat/completions', body)
  expect(data.choices[0].message.content).toBe('Hello, really?')
})
`
  await using project = await createJestEchoProject(
    { jest: 30 },
    {
      'page.test.js': page,
      'environment.js': `const { withRetake } = require('retake/jest')
const { TestEnvironment } = require('jest-environment-node')
class Mine extends withRetake(TestEnvironment) {
  async handleTestEvent(event) {
    if (event.name === 'setup') this.global.own = 'mine'
  }
}
module.exports = Mine
`,
      'own.test.js': `${environment('./environment.js')}
const { ask } = require('./agent.js')
test('asks', async () => {
  expect(own).toBe('mine')
  expect(await ask('Hello')).toBe('Hello, really?')
})
`,
      'jest.config.json': JSON.stringify({
        testEnvironmentOptions: { retake: { everyTest: true, dir: '__runs__' } },
        reporters: ['default', 'retake/jest/reporter'],
        transform: {},
      }),
    },
  )
  const first = await project.run()
  expect(first.stderr).toContain('\nCassettes:   2 recorded, 2 total\n')
  expect(Object.keys(await project.files()).filter((path) => path.includes('__runs__'))).toEqual([
    '__runs__/own.test.js/asks.cassette.json',
    '__runs__/page.test.js/asks-in-a-page.cassette.json',
  ])
  const second = await project.run({ env: { CI: 'true' } })
  expect(second.stderr).toContain('\nCassettes:   2 replayed, 2 total\n')
  expect(second.exitCode).toBe(0)

  await project.write({
    'jest.config.json':
      '{ "testEnvironment": "retake/jest/node", "testEnvironmentOptions": { "retake": { "mod": 1 } } }',
  })
  const wrong = await project.run({ command: ['jest', 'page'] })
  expect(wrong.stderr).toContain('ConfigError: testEnvironmentOptions.retake has no option "mod"; it takes')
})
