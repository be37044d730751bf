import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'

const files = {
  'one.test.ts': `import { beforeAll, beforeEach, describe, expect, test as base } from 'vitest'
import { expectCassette, useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
const test = base
  .extend('fixture', async () => useCassette())
const auto = base.extend('automatic', { auto: true }, async () => useCassette())

beforeAll(() => {
  expect(() => useCassette()).toThrow('outside of every test')
})

test('asks twice', async () => {
  const cassette = useCassette()
  expect(useCassette()).toBe(cassette)
  expect(useCassette({ name: 'asks twice' })).toBe(cassette)
  expect(() => useCassette({ name: 'another' })).toThrow('another name')
  expect(() => useCassette({ nmae: 'x' } as never)).toThrow('no option "nmae"')
  await ask('one')
  await ask('one')
  expectCassette(cassette).toHaveModelCalls(2)
})
test('Has A Title, so to say!', async () => {
  useCassette()
  await ask('title')
})
test('twin', async () => {
  useCassette()
  await ask('first twin')
})
test('twin', async () => {
  useCassette()
  await ask('second twin')
})
test.each(['red', 'green'])('each %s', async (colour) => {
  useCassette()
  await ask(colour)
})
test.each([1, 2])('each of equal titles', async (n) => {
  useCassette()
  await ask('n' + n)
})
test('is named', async () => {
  useCassette({ name: 'by hand' })
  await ask('named')
})
describe('in a hook', () => {
  beforeEach(async () => {
    useCassette()
    await ask('from the hook')
  })
  test('asks', async () => {
    await ask('from the test')
  })
})
test('in a fixture', async ({ fixture }) => {
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
const cassette = useCassette()
expect(() => cassette.name).toThrow('outside of a test')
expect(() => useCassette({ name: 'x' })).toThrow('belongs to one test')

test('asks', async () => {
  expect(await ask('Hello')).toBe('Hello, really?')
  expect(cassette.name).toBe('asks')
  expectCassette(cassette).toHaveModelCalls(1)
})
test('asks nothing', () => {})
test('chooses its own', async () => {
  useCassette({ name: 'its own' })
  await ask('own')
  expect(cassette.name).toBe('its-own')
})
test('chooses too late', async () => {
  await ask('late')
  expect(() => useCassette({ name: 'too late' })).toThrow('after the test had made a model call')
})
describe('in a describe with options of its own', () => {
  useCassette({ match: 'sequence' })
  test('asks', async () => {
    await ask('inner')
  })
})
`,
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
test.concurrent.each(Array.from({ length: 10 }, (_, n) => n))('asks %i', async (n) => {
  await wait((n * 7) % 10)
  const cassette = useCassette()
  await wait((n * 3) % 10)
  expect(await ask('first of ' + n)).toBe('first of ' + n + ', really?')
  expect(await ask('second of ' + n)).toBe('second of ' + n + ', really?')
  expect(cassette.name).toBe('asks-' + n)
})
describe.concurrent('at describe level', () => {
  useCassette()
  test.each(['a', 'b', 'c'])('asks %s', async (letter) => {
    await wait(letter.charCodeAt(0) % 3)
    expect(await ask(letter)).toBe(letter + ', really?')
  })
})
`,
}

const names = [
  'concurrent.test.ts/asks-0',
  'concurrent.test.ts/asks-1',
  'concurrent.test.ts/asks-2',
  'concurrent.test.ts/asks-3',
  'concurrent.test.ts/asks-4',
  'concurrent.test.ts/asks-5',
  'concurrent.test.ts/asks-6',
  'concurrent.test.ts/asks-7',
  'concurrent.test.ts/asks-8',
  'concurrent.test.ts/asks-9',
  'concurrent.test.ts/at-describe-level--asks-a',
  'concurrent.test.ts/at-describe-level--asks-b',
  'concurrent.test.ts/at-describe-level--asks-c',
  'every.test.ts/asks',
  'every.test.ts/chooses-too-late',
  'every.test.ts/in-a-describe-with-options-of-its-own--asks',
  'every.test.ts/its-own',
  'kinds.test.ts/fails-as-it-should',
  'kinds.test.ts/is-repeated',
  'kinds.test.ts/is-soft',
  'kinds.test.ts/is-tried-again',
  'kinds.test.ts/outer--for-1',
  'kinds.test.ts/outer--for-2',
  'kinds.test.ts/outer--inner--is-nested',
  'kinds.test.ts/outer--inner--is-nested.2',
  'kinds.test.ts/polls',
  'kinds.test.ts/with-hooks--asks',
  'one.test.ts/asks-twice',
  'one.test.ts/by-hand',
  'one.test.ts/each-green',
  'one.test.ts/each-of-equal-titles',
  'one.test.ts/each-of-equal-titles.2',
  'one.test.ts/each-red',
  'one.test.ts/has-a-title-so-to-say-1c7c3e0d',
  'one.test.ts/in-a-fixture',
  'one.test.ts/in-a-hook--asks',
  'one.test.ts/in-an-automatic-fixture',
  'one.test.ts/twin',
  'one.test.ts/twin.2',
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
