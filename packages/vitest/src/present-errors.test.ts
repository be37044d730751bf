import { ConfigError, UnsupportedError } from '@retake/trace'
import { expect, type RunnerTestCase, type TestError, test } from 'vitest'
import { presentErrors, presentFileErrors } from './present-errors.ts'
import type { TaskRun } from './worker-state.ts'

const runWith = (errors: TestError[] | undefined, earlierErrors = 0) =>
  ({ task: { result: { errors } }, earlierErrors }) as unknown as TaskRun
const sdkError: TestError = {
  name: 'BadRequestError',
  message: '400 [retake] request 2 differs',
  stack: 'at agent.ts:1:1',
}
const assertion: TestError = { name: 'AssertionError', message: 'expected 1 to be 2', actual: '1', expected: '2' }
const miss = new UnsupportedError('request 2 uses logprobs', { name: 'logprobs' })

test('the SDK error becomes the cause of the typed one', async () => {
  const run = runWith([sdkError])
  const shown = await presentErrors(run, [miss])
  expect(shown).toMatchObject({ name: 'UnsupportedError', message: 'request 2 uses logprobs' })
  expect(shown.cause).toMatchObject({ name: 'BadRequestError', message: '400 [retake] as above' })
  expect(run.task.result?.errors).toEqual([])
})

test('an SDK error that was wrapped is found through its causes', async () => {
  const wrapped = { name: 'Error', message: 'agent failed', cause: sdkError }
  expect((await presentErrors(runWith([wrapped]), [miss])).cause).toMatchObject({ message: 'agent failed' })
})

test('an SDK error that hides its class is named after it', async () => {
  // As Vitest serialises an error of the openai package.
  const entry = {
    name: 'Error',
    message: '400 [retake] no',
    constructor: 'Function<BadRequestError>',
  } as unknown as TestError
  expect((await presentErrors(runWith([entry]), [miss])).cause).toMatchObject({ name: 'BadRequestError' })
})

test('what else failed follows the typed error', async () => {
  const shown = await presentErrors(runWith([sdkError, assertion]), [miss])
  expect(shown).toBeInstanceOf(AggregateError)
  expect((shown as AggregateError).errors).toEqual([expect.objectContaining({ name: 'UnsupportedError' }), assertion])
})

test('the error that failed the test already is not shown twice', async () => {
  const shown = await presentErrors(runWith([{ name: miss.name, message: miss.message }]), [miss])
  expect(shown).not.toBeInstanceOf(AggregateError)
  expect(shown.cause).toBeUndefined()
})

test('errors of earlier attempts stay', async () => {
  const run = runWith([assertion, sdkError], 1)
  await presentErrors(run, [miss])
  expect(run.task.result?.errors).toEqual([assertion])
})

test('further errors are named', async () => {
  const other = new ConfigError('the option is wrong\nwith details')
  expect(await presentErrors(runWith([]), [miss, other])).toMatchObject({
    message: 'request 2 uses logprobs',
    diff: '  also in this test:\n  - ConfigError: the option is wrong',
  })
})

test('what follows the first line of a message is printed below it, without its colour', async () => {
  const late = new ConfigError('the option is wrong\n\n  option  mode')
  expect(await presentErrors(runWith([]), [late])).toMatchObject({
    message: 'the option is wrong',
    diff: '  option  mode',
  })
})

test('a shown error carries nothing that would be printed as a dump', async () => {
  expect(Object.keys(await presentErrors(runWith(undefined), [miss]))).toEqual(['name'])
})

test.each([[undefined], [Object.freeze([sdkError])]])('a list it cannot change stays as it is', async (errors) => {
  const run = runWith(errors as TestError[])
  expect(await presentErrors(run, [miss])).toMatchObject({ name: 'UnsupportedError' })
  expect(run.task.result?.errors).toBe(errors)
})

test('a mismatch that test.fails hides names its test', async () => {
  const task = { name: 'is broken' } as RunnerTestCase
  const error = (await presentFileErrors([[task, [miss]]], [new ConfigError('late')])) as AggregateError
  expect(error.errors.map(({ message }) => message)).toEqual([
    '"is broken" is marked to fail, but its cassette must fit all the same.\nrequest 2 uses logprobs',
    'late',
  ])
})
