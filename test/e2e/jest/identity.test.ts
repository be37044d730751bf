import { describe, expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
import { createJestEchoProject, jestAgent, kindsOr } from '../../support/jest-project.ts'
import { toModuleFormat } from '../../support/to-module-format.ts'
import { identityNames, identityTests } from '../identity-tests.ts'

/** What every runner can express, and what only Jest has. */
const files: Record<string, string> = {
  'one.test.js': `import { expectCassette, useCassette } from 'retake/jest'
import { ask } from './agent.js'
${identityTests.one}`,
  'every.test.js': `import { expectCassette, useCassette } from 'retake/jest'
import { ask } from './agent.js'
${identityTests.every}`,
  'kinds.test.js': `import { jest as runner } from '@jest/globals'
import { expectCassette, useCassette } from 'retake/jest'
import { ask } from './agent.js'
const cassette = useCassette()
runner.retryTimes(2)
describe('outer', () => {
  describe('inner', () => {
    test('is nested', async () => {
      await ask('nested')
      expect(cassette.name).toBe('outer--inner--is-nested')
    })
    test('is nested', async () => {
      await ask('nested again')
    })
  })
})
test.failing('fails as it should', async () => {
  await ask('failing')
  expect(1).toBe(2)
})
let attempt = 0
test('is tried again', async () => {
  attempt += 1
  await ask('attempt')
  expect(attempt).toBe(3)
})
describe('with hooks', () => {
  afterEach(async () => {
    await ask('after each')
  })
  test('asks', async () => {
    await ask('in the test')
  })
})
test('calls back', (done) => {
  ask('callback').then((answer) => {
    expect(answer).toBe('callback, really?')
    done()
  }, done)
})
test('is a generator', function* () {
  const answer = yield ask('generator')
  expect(answer).toBe('generator, really?')
  yield ask('generator again')
})
test('has fake timers', async () => {
  runner.useFakeTimers()
  try {
    expect(await ask('timers')).toBe('timers, really?')
  } finally {
    runner.useRealTimers()
  }
})
test.skip('is skipped', async () => {
  await ask('skipped')
})
test.todo('is to do')
`,
  'concurrent.test.js': `import { setTimeout as wait } from 'node:timers/promises'
import { useCassette } from 'retake/jest'
import { ask } from './agent.js'
${identityTests.concurrent}`,
}

/** Of these, Vitest has the same names for the same tests. */
const shared = identityNames('js')
const names = [...shared, 'kinds.test.js/calls-back', 'kinds.test.js/has-fake-timers', 'kinds.test.js/is-a-generator']

const offline = { CI: 'true', MODEL_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: '' }

const namesOf = (cassettes: Record<string, string>) =>
  Object.keys(cassettes).map((path) => path.replace('.cassette.json', ''))

// Up to five runs of a runner each.
const timeout = 180_000

describe.each(kindsOr({ jest: 29, format: 'cjs' }, { jest: 30, format: 'esm' }))('Jest $jest, $format', (kind) => {
  test('every test has its own cassette, wherever useCassette() is called', { timeout }, async () => {
    const written = Object.entries(files).map(([path, text]) => [path, toModuleFormat(text, kind.format)])
    await using project = await createJestEchoProject(kind, Object.fromEntries(written))
    const first = await project.run()
    expect(first.stderr).toContain(`\nCassettes:   ${names.length} recorded, ${names.length} total\n`)
    expect(first.exitCode).toBe(0)
    const recorded = await project.cassettes()
    expect(namesOf(recorded).toSorted()).toEqual(names.toSorted())
    expect(recorded['one.test.js/twin.cassette.json']).toContain('first twin')
    expect(recorded['one.test.js/twin.2.cassette.json']).toContain('second twin')
    expect(recorded['one.test.js/in-a-hook--asks.cassette.json']).toMatch(/from the hook.*from the test/s)
    expect(recorded['kinds.test.js/with-hooks--asks.cassette.json']).toMatch(/in the test.*after each/s)
    expect(recorded['kinds.test.js/is-a-generator.cassette.json']).toMatch(/generator, really.*generator again/s)
    for (let n = 0; n < 10; n += 1) {
      const text = recorded[`concurrent.test.js/asks-${n}.cassette.json`]
      expect(new Set(text?.match(/(first|second) of \d+/g))).toEqual(new Set([`first of ${n}`, `second of ${n}`]))
    }

    const before = await project.files()
    const second = await project.run({ command: ['jest', '-w', '2'], env: offline })
    expect(second.stderr).toContain(`\nCassettes:   ${names.length} replayed, ${names.length} total\n`)
    expect(await project.files()).toEqual(before)

    const again = await project.run({ command: ['jest', '--runInBand'], env: { RETAKE: 'update' } })
    expect(again.stderr).toContain(`\nCassettes:   ${names.length} unchanged, ${names.length} total\n`)
    expect(await project.files()).toEqual(before)
  })
})

/** The same tests with what Vitest calls by other names. */
const forVitest = (text: string): string =>
  `import { beforeAll, beforeEach, describe, expect, test } from 'vitest'\n${text.replace('retake/jest', 'retake/vitest')}`

test.each(kindsOr({ jest: 30 }).filter(({ format }) => format !== 'esm'))(
  'cassettes of Vitest replay under Jest $jest, and the reverse',
  { timeout },
  async (kind) => {
    const { 'kinds.test.js': _, ...common } = files
    const entries = Object.entries(common)
    await using vitest = await createEchoProject({
      ...jestAgent.esm,
      ...Object.fromEntries(entries.map(([path, text]) => [path, forVitest(text)])),
    })
    await using jest = await createJestEchoProject(
      kind,
      Object.fromEntries(entries.map(([path, text]) => [path, toModuleFormat(text)])),
    )
    const count = shared.filter((name) => !name.startsWith('kinds')).length
    const cassettes = (all: Record<string, string>) =>
      Object.fromEntries(Object.entries(all).map(([path, text]) => [`__cassettes__/${path}`, text]))

    await vitest.run()
    const ofVitest = cassettes(await vitest.cassettes())
    await jest.write(ofVitest)
    const underJest = await jest.run({ env: offline })
    expect(underJest.stderr).toContain(`\nCassettes:   ${count} replayed, ${count} total\n`)
    const updated = await jest.run({ env: { RETAKE: 'update' } })
    expect(updated.stderr).toContain(`\nCassettes:   ${count} unchanged, ${count} total\n`)
    expect(await jest.files()).toMatchObject(ofVitest)

    await using fresh = await createJestEchoProject(
      kind,
      Object.fromEntries(entries.map(([path, text]) => [path, toModuleFormat(text)])),
    )
    await fresh.run()
    const ofJest = cassettes(await fresh.cassettes())
    expect(Object.keys(ofJest).toSorted()).toEqual(Object.keys(ofVitest).toSorted())
    await vitest.write(ofJest)
    const underVitest = await vitest.run({ env: offline })
    expect(underVitest.stdout).toContain(`\n  Cassettes  ${count} replayed\n`)
    expect(await vitest.files()).toMatchObject(ofJest)
  },
)
