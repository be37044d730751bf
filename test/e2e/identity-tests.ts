/** Tests that every runner can express, by the name of their file; `test`, `useCassette`, `ask` and the like are there. */
export const identityTests = {
  one: `beforeAll(() => {
  expect(() => useCassette()).toThrow('outside of every test')
})

test('asks twice', async () => {
  const cassette = useCassette()
  expect(useCassette()).toBe(cassette)
  expect(useCassette({ name: 'asks twice' })).toBe(cassette)
  expect(() => useCassette({ name: 'another' })).toThrow('another name')
  expect(() => useCassette({ nmae: 'x' })).toThrow('no option "nmae"')
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
`,
  every: `const cassette = useCassette()
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
  concurrent: `test.concurrent.each(Array.from({ length: 10 }, (_, n) => n))('asks %i', async (n) => {
  await wait((n * 7) % 10)
  const cassette = useCassette()
  await wait((n * 3) % 10)
  expect(await ask('first of ' + n)).toBe('first of ' + n + ', really?')
  expect(await ask('second of ' + n)).toBe('second of ' + n + ', really?')
  expect(cassette.name).toBe('asks-' + n)
})
`,
}

/** The cassettes of these, and of tests in a file `kinds` that each runner writes in its own words. */
export const identityNames = (extension: 'js' | 'ts'): string[] =>
  names.map((name) => name.replace('/', `.test.${extension}/`))

const names = [
  ...Array.from({ length: 10 }, (_, n) => `concurrent/asks-${n}`),
  'every/asks',
  'every/chooses-too-late',
  'every/in-a-describe-with-options-of-its-own--asks',
  'every/its-own',
  'kinds/fails-as-it-should',
  'kinds/is-tried-again',
  'kinds/outer--inner--is-nested',
  'kinds/outer--inner--is-nested.2',
  'kinds/with-hooks--asks',
  'one/asks-twice',
  'one/by-hand',
  'one/each-green',
  'one/each-of-equal-titles',
  'one/each-of-equal-titles.2',
  'one/each-red',
  'one/has-a-title-so-to-say-1c7c3e0d',
  'one/in-a-hook--asks',
  'one/twin',
  'one/twin.2',
]
