import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createJestEchoProject } from '../../support/jest-project.ts'

const asks = (more = '') => `const { useCassette } = require('retake/jest')
const { ask } = require('./agent.js')
describe('agent', () => {
  test('asks twice', async () => {
    useCassette()
    await ask('Hello')
    ${more}
    await ask('Hello again')
  })
})
`
const path = '__cassettes__/asks.test.js/agent--asks-twice.cassette.json'

test('the first cassettes are introduced, once; git ignoring them is told while they are recorded', async () => {
  await using project = await createJestEchoProject(
    { jest: 29 },
    { 'asks.test.js': asks(), '.gitignore': '# of us\n*.cassette.json\n' },
  )
  execFileSync('git', ['init', '-q'], { cwd: project.folder })
  const first = await project.run()
  expect(first.stdout).toBe('')
  expect(first.stderr).toMatch(
    new RegExp(`\nCassettes:   1 recorded, 1 total
             ↳ recorded {2}${path}
Live: {8}2 calls, \\d+ tokens in, \\d+ out, \\S+( s)?

             The first cassettes of this project\\. .*
             From now on these tests replay them: .*
             Look at one: {2}npx retake inspect ${path}
             Commit these files .*

\\[retake\\] git ignores ${path}
 {2}The rule is .gitignore:2:\\*\\.cassette\\.json\\. .*

Test Suites: `),
  )
  const later = await project.run({ env: { RETAKE: 'update' } })
  expect(later.stderr).toContain('1 unchanged')
  expect(later.stderr).not.toMatch(/The first|git ignores/)
})

test('a test that fails by itself is told of the requests it did not come to', async () => {
  await using project = await createJestEchoProject({ jest: 30 }, { 'asks.test.js': asks() })
  await project.run()
  await project.write({ 'asks.test.js': asks('expect(1).toBe(2)') })
  const { stderr } = await project.run()
  expect(stderr).toMatch(/Received: 1\n +\(also: 1 recorded request was not reached\)\n/)
  expect(stderr).toContain('Cassettes:   1 replayed')
})

test('a provider that cannot be reached is told by what the system said, and by no line of retake', async () => {
  const files = {
    'asks.test.js': `const { useCassette } = require('retake/jest')
test('asks', async () => {
  useCassette()
  await fetch(process.env.MODEL_URL + '/chat/completions', { method: 'POST', body: '{ "model": "m", "messages": [] }' })
})
`,
  }
  await using project = await createJestEchoProject({ jest: 30 }, files)
  const { stderr, exitCode } = await project.run({ env: { MODEL_URL: 'http://127.0.0.1:1/v1' } })
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/● asks\n\n {4}TypeError: fetch failed/)
  expect(stderr).not.toMatch(/retake\/dist/)
})

test('no failure shows lines of retake: of a test without a cassette, of a wrong call, of a wrong option', async () => {
  const files = {
    'a.test.js': `const { useCassette } = require('retake/jest')
test('fails', () => expect(1).toBe(2))
test('calls wrongly', () => useCassette({ mod: 1 }))
`,
    'b.test.js': "require('retake/jest').useCassette({ name: 'x' })\ntest('is none', () => {})\n",
  }
  await using project = await createJestEchoProject({ jest: 30 }, files)
  const { stderr } = await project.run()
  expect(stderr).toContain('● fails\n\n    expect(received).toBe(expected)')
  expect(stderr).toMatch(/ConfigError: useCassette\(\) has no option "mod"[\s\S]*> 3 \| test\('calls wrongly'/)
  expect(stderr).toMatch(/ConfigError: a name belongs to one test[\s\S]*> 1 \| require/)
  expect(stderr).not.toMatch(/retake\/dist/)
  const wrong = await project.run({ env: { RETAKE: 'x' } })
  expect(wrong.stderr).toContain('ConfigError: RETAKE is "x", but it must be auto, replay, update or off\n')
  expect(wrong.stderr).not.toMatch(/retake\/dist/)
})

test('who sits at a terminal sees each reply while it is recorded, and nothing while it is replayed', async () => {
  const terminal = "Object.defineProperty(process.stderr, 'isTTY', { value: true })\n"
  await using project = await createJestEchoProject(
    { jest: 30 },
    { 'asks.test.js': asks(), 'b.test.js': "test('adds', () => {})\n", 'terminal.cjs': terminal },
  )
  const lines = async (...args: string[]) => {
    const { stderr } = await project.run({
      command: ['jest', ...args],
      env: { NODE_OPTIONS: '--require ./terminal.cjs' },
    })
    return stderr.split('\n').filter((line) => line.includes('● recording'))
  }
  // From a worker, and from the process itself.
  const both = [
    expect.stringMatching(/^ ● recording {2}agent > asks twice {2}request 1 {3}answer {3}/),
    expect.stringMatching(/^ ● recording {2}agent > asks twice {2}request 2 {3}answer {3}/),
  ]
  expect(await lines('-w', '2')).toEqual(both)
  expect(await lines()).toEqual([])
  await project.run({ command: ['node', '-e', "fs.rmSync('__cassettes__', { recursive: true })"] })
  expect(await lines('--runInBand')).toEqual(both)
})
