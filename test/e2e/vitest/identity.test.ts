import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
import { identityNames, identityTests } from '../identity-tests.ts'

const files = {
  'one.test.ts': `import { beforeAll, beforeEach, describe, expect, test as base } from 'vitest'
import { expectCassette, useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
const test = base
  .extend('fixture', async () => useCassette())
const auto = base.extend('automatic', { auto: true }, async () => useCassette())

${identityTests.one}test('in a fixture', async ({ fixture }) => {
  await ask('fixture')
  expect(fixture.name).toBe('in-a-fixture')
})
auto('in an automatic fixture', async ({ automatic }) => {
  await ask('automatic')
  expect(automatic.name).toBe('in-an-automatic-fixture')
})
`,
  'every.test.ts': `import { describe, expect, test } from 'vitest'
import { expectCassette, useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
${identityTests.every}`,
  'kinds.test.ts': `import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { expectCassette, useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
const cassette = useCassette()
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
  test.for([{ n: 1 }, { n: 2 }])('for $n', async ({ n }) => {
    await ask('number ' + n)
  })
})
test.fails('fails as it should', async () => {
  await ask('failing')
  expect(1).toBe(2)
})
test('is soft', async () => {
  expect.soft(await ask('soft')).toBe('soft, really?')
})
test('polls', async () => {
  await expect.poll(() => ask('poll')).toBe('poll, really?')
})
let attempt = 0
test('is tried again', { retry: 2 }, async () => {
  attempt += 1
  await ask('attempt')
  expect(attempt).toBe(3)
})
test('is repeated', { repeats: 3 }, async () => {
  await ask('again')
  expectCassette(cassette).toHaveModelCalls(1)
})
describe('with hooks', () => {
  afterEach(async () => {
    await ask('after each')
  })
  test('asks', async () => {
    onTestFinished(async () => {
      await ask('finished')
    })
    await ask('in the test')
  })
})
`,
  'concurrent.test.ts': `import { describe, expect, test } from 'vitest'
import { setTimeout as wait } from 'node:timers/promises'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
${identityTests.concurrent}describe.concurrent('at describe level', () => {
  useCassette()
  test.each(['a', 'b', 'c'])('asks %s', async (letter) => {
    await wait(letter.charCodeAt(0) % 3)
    expect(await ask(letter)).toBe(letter + ', really?')
  })
})
`,
}

const names = [
  ...identityNames('ts'),
  'concurrent.test.ts/at-describe-level--asks-a',
  'concurrent.test.ts/at-describe-level--asks-b',
  'concurrent.test.ts/at-describe-level--asks-c',
  'kinds.test.ts/is-repeated',
  'kinds.test.ts/is-soft',
  'kinds.test.ts/outer--for-1',
  'kinds.test.ts/outer--for-2',
  'kinds.test.ts/polls',
  'one.test.ts/in-a-fixture',
  'one.test.ts/in-an-automatic-fixture',
]

test('every test has its own cassette, wherever useCassette() is called', async () => {
  await using project = await createEchoProject(files)
  const first = await project.run()
  expect(first.stderr).toBe('')
  expect(first.exitCode).toBe(0)
  const recorded = await project.cassettes()
  const before = await project.files()
  expect(
    Object.keys(recorded)
      .map((path) => path.replace('.cassette.json', ''))
      .toSorted(),
  ).toEqual(names.toSorted())
  expect(recorded['one.test.ts/twin.cassette.json']).toContain('first twin')
  expect(recorded['one.test.ts/twin.2.cassette.json']).toContain('second twin')
  expect(recorded['one.test.ts/in-a-hook--asks.cassette.json']).toMatch(/from the hook.*from the test/s)
  expect(recorded['kinds.test.ts/with-hooks--asks.cassette.json']).toMatch(/in the test.*after each.*finished/s)
  for (let n = 0; n < 10; n += 1) {
    const text = recorded[`concurrent.test.ts/asks-${n}.cassette.json`]
    expect(new Set(text?.match(/(first|second) of \d+/g))).toEqual(new Set([`first of ${n}`, `second of ${n}`]))
  }

  const second = await project.run({ env: { CI: 'true', MODEL_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: '' } })
  expect(second.stderr).toBe('')
  expect(second.stdout).toContain(`\n  Cassettes  ${names.length} replayed\n`)
  expect(await project.files()).toEqual(before)

  const alone = await project.run({ command: ['vitest', 'run', '-t', 'twin'], env: { RETAKE: 'update' } })
  expect(alone.stdout).toContain('\n  Cassettes  2 unchanged\n')
})
