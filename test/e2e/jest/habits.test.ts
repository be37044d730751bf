import { describe, expect, test } from 'vitest'
import { createJestEchoProject, kindsOr } from '../../support/jest-project.ts'

/** What projects do in their tests and configs, and what must not keep a cassette from its test. */
const timers = `const { useCassette } = require('retake/jest')
const { ask } = require('./agent.js')
afterEach(() => void jest.useRealTimers())
const hello = async (question) => expect(await ask(question)).toBe(question + ', really?')

test('modern before', async () => {
  jest.useFakeTimers()
  useCassette()
  await hello('modern before')
})
test('modern after', async () => {
  useCassette()
  jest.useFakeTimers({ now: 0 })
  await hello('modern after')
  expect(Date.now()).toBe(0)
})
test('legacy before', async () => {
  jest.useFakeTimers({ legacyFakeTimers: true })
  useCassette()
  await hello('legacy before')
})
test('legacy after', async () => {
  useCassette()
  jest.useFakeTimers({ legacyFakeTimers: true })
  await hello('legacy after')
})
`

const modules = `const { expectCassette, useCassette } = require('retake/jest')
beforeEach(() => void jest.resetModules())

test('modules are loaded anew', async () => {
  const cassette = useCassette()
  await require('./agent.js').ask('first copy')
  jest.resetModules()
  await require('./agent.js').ask('second copy')
  expect(require('retake/jest').useCassette()).toBe(cassette)
  expectCassette(cassette).toHaveModelCalls(2)
})
test('modules are loaded apart', async () => {
  useCassette()
  let ask
  jest.isolateModules(() => {
    ask = require('./agent.js').ask
  })
  await ask('apart')
})
test('a spy on fetch lets calls through', async () => {
  const cassette = useCassette()
  const spy = jest.spyOn(globalThis, 'fetch')
  await require('./agent.js').ask('spied on')
  expect(spy).toHaveBeenCalledTimes(1)
  expectCassette(cassette).toHaveModelCalls(1)
})
test('a spy is taken back', async () => {
  useCassette()
  expect(jest.isMockFunction(fetch)).toBe(false)
  await require('./agent.js').ask('unspied')
})
describe.each([['red'], ['green']])('in %s', (colour) => {
  test('asks', async () => {
    useCassette()
    await require('./agent.js').ask(colour)
  })
})
`

const mocked = `jest.mock('openai', () =>
  class {
    chat = { completions: { create: async () => ({ choices: [{ message: { content: 'mocked' } }] }) } }
  })
const { useCassette } = require('retake/jest')
const { ask } = require('./agent.js')
const cassette = useCassette()
test('a client that is mocked asks nobody', async () => {
  expect(await ask('Hello')).toBe('mocked')
  expect(cassette.trace.steps).toEqual([])
})
`

const files = {
  'timers.test.js': timers,
  'modules.test.js': modules,
  'mocked.test.js': mocked,
  'set-up.js': 'module.exports = async () => void (process.env.FROM_GLOBAL_SETUP = "yes")\n',
  'page.spec.js': `/** @jest-${'environment'} retake/jest/node */
const { useCassette } = require('retake/jest')
const { ask } = require('./agent.js')
test('has an environment of its own', async () => {
  useCassette()
  expect(process.env.FROM_GLOBAL_SETUP).toBe('yes')
  await ask('own')
})
`,
  'jest.config.json': JSON.stringify({
    reporters: ['default', 'retake/jest/reporter'],
    globalSetup: './set-up.js',
    projects: [
      {
        displayName: 'tests',
        testMatch: ['<rootDir>/*.test.js'],
        testEnvironment: 'retake/jest/node',
        globalSetup: '<rootDir>/set-up.js',
        resetMocks: true,
        restoreMocks: true,
        transform: {},
      },
      { displayName: 'specs', testMatch: ['<rootDir>/*.spec.js'], globalSetup: '<rootDir>/set-up.js', transform: {} },
    ],
  }),
}

const names = [
  ...['asks', 'asks'].map((title, n) => `modules.test.js/in-${['green', 'red'][n]}--${title}`),
  'modules.test.js/a-spy-is-taken-back',
  'modules.test.js/a-spy-on-fetch-lets-calls-through',
  'modules.test.js/modules-are-loaded-anew',
  'modules.test.js/modules-are-loaded-apart',
  'page.spec.js/has-an-environment-of-its-own',
  'timers.test.js/legacy-after',
  'timers.test.js/legacy-before',
  'timers.test.js/modern-after',
  'timers.test.js/modern-before',
].sort()

const offline = { MODEL_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: '' }
const flags = [['-w', '2', '--workerThreads'], ['--runInBand', '--detectOpenHandles'], ['--coverage']]

describe.each(kindsOr({ jest: 29 }, { jest: 30 }).filter(({ format }) => format !== 'esm'))('Jest $jest', (kind) => {
  test('fake timers, modules anew, mocks, projects, threads and coverage leave cassettes alone', async () => {
    await using project = await createJestEchoProject(kind, files)
    const first = await project.run()
    expect(first.stderr).toContain(`\nCassettes:   ${names.length} recorded, ${names.length} total\n`)
    expect(first.exitCode).toBe(0)
    const cassettes = await project.cassettes()
    expect(
      Object.keys(cassettes)
        .map((path) => path.replace('.cassette.json', ''))
        .sort(),
    ).toEqual(names)
    for (const args of kind.jest === 29 ? flags.slice(0, 1) : flags) {
      const { stderr, exitCode } = await project.run({ command: ['jest', '--ci', ...args], env: offline })
      expect(stderr).toContain(`\nCassettes:   ${names.length} replayed, ${names.length} total\n`)
      expect(stderr).not.toMatch(/did not exit|open handle|failed to exit/)
      expect(exitCode).toBe(0)
    }
    expect(await project.cassettes()).toEqual(cassettes)
  }, 180_000)
})
