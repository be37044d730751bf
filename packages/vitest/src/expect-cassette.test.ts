import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cassette } from '@retake/session'
import { ConfigError, formatTrace, type JsonValue, type Trace } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { failure, runOf, setUpMatchers } from '../test/expectations.ts'
import { expectCassette } from './expect-cassette.ts'

const ask: JsonValue = { messages: [{ role: 'user', content: 'Where is A-77?' }], tools: [] }
const lookup = { toolCallId: 'call-0', toolName: 'lookupOrder', toolInput: { orderId: 'A-77', at: 5 } }
const refund = { toolCallId: 'call-1', toolName: 'refund', toolInput: { amount: 20 } }

const run = runOf(
  ['model_input', ask],
  ['model_output', { type: 'tool_calls', calls: [lookup] }],
  ['model_input', ask],
  ['model_output', { type: 'tool_call', ...refund }],
  ['tool_call', { toolCallId: 'call-2', toolName: 'audit', toolInput: {}, origin: 'agent' }],
  ['tool_call', { toolCallId: 'call-3', toolName: 'openai embeddings', toolInput: {}, origin: 'endpoint' }],
  ['model_input', ask],
  ['model_output', { type: 'final_answer', text: 'Your refund of 20 € is on its way.' }],
)
const empty = runOf()

setUpMatchers()

describe('toHaveCalledTool', () => {
  test('counts what the model asked for in both call shapes, and calls of the agent itself', () => {
    expectCassette(run).toHaveCalledTool('lookupOrder')
    expectCassette(run).toHaveCalledTool('refund')
    expectCassette(run).toHaveCalledTool('audit')
    expectCassette(run).not.toHaveCalledTool('openai embeddings')
    expectCassette(run).not.toHaveCalledTool('lookup')
  })

  test('compares arguments deeply, with asymmetric matchers inside', () => {
    expectCassette(run).toHaveCalledTool('lookupOrder', { orderId: 'A-77', at: 5 })
    expectCassette(run).toHaveCalledTool('lookupOrder', {
      orderId: expect.stringMatching(/^A-/),
      at: expect.any(Number),
    })
    expectCassette(run).toHaveCalledTool('lookupOrder', expect.objectContaining({ orderId: 'A-77' }))
    expectCassette(run).not.toHaveCalledTool('lookupOrder', { orderId: 'A-77' })
    expectCassette(run).not.toHaveCalledTool('refund', { amount: 20, currency: 'EUR' })
  })

  test('a failure shows the conversation, and the difference where there is one call', () => {
    const error = failure(() => expectCassette(run).toHaveCalledTool('refund', { amount: 30 }))
    expect(error.message).toContain('expected the model to call refund with {"amount":30}')
    expect(error.message).toContain('called: lookupOrder, refund, audit')
    expect(error.message).toMatch(/^ {2}user +Where is A-77\?$/m)
    expect(error.message).toMatch(/^ {2}assistant +→ lookupOrder.*A-77/m)
    expect(error.message).toMatch(/^ {2}assistant +Your refund of 20 €/m)
    expect(error).toMatchObject({ actual: { amount: 20 }, expected: { amount: 30 } })
  })

  test('a failure of the opposite says so', () => {
    expect(failure(() => expectCassette(run).not.toHaveCalledTool('refund')).message).toContain(
      'expected the model not to call refund',
    )
  })
})

test('toHaveCalledTools is the complete list in order', () => {
  expectCassette(run).toHaveCalledTools(['lookupOrder', 'refund', 'audit'])
  expectCassette(empty).toHaveCalledTools([])
  expectCassette(run).not.toHaveCalledTools(['refund', 'lookupOrder', 'audit'])
  expectCassette(run).not.toHaveCalledTools(['lookupOrder', 'refund'])
  expect(failure(() => expectCassette(run).toHaveCalledTools(['refund']))).toMatchObject({
    actual: ['lookupOrder', 'refund', 'audit'],
    expected: ['refund'],
  })
})

test('toHaveModelCalls counts replies', () => {
  expectCassette(run).toHaveModelCalls(3)
  expectCassette(empty).toHaveModelCalls(0)
  expect(failure(() => expectCassette(run).toHaveModelCalls(2)).message).toContain('to reply 2 times; it did 3')
})

describe('toHaveFinalAnswer', () => {
  test('takes a string for all of it and a pattern for a part', () => {
    expectCassette(run).toHaveFinalAnswer('Your refund of 20 € is on its way.')
    expectCassette(run).toHaveFinalAnswer(/20 €/)
    expectCassette(run).not.toHaveFinalAnswer('20 €')
    expectCassette(run).not.toHaveFinalAnswer(/30 €/)
  })

  test('a pattern that keeps its place matches every time', () => {
    const pattern = /refund/g
    expectCassette(run).toHaveFinalAnswer(pattern)
    expectCassette(run).toHaveFinalAnswer(pattern)
  })

  test('the last answer counts', () => {
    const two = runOf(
      ['model_output', { type: 'final_answer', text: 'one' }],
      ['model_output', { type: 'final_answer', text: 'two' }],
      ['model_output', { type: 'tool_calls', calls: [lookup] }],
    )
    expectCassette(two).toHaveFinalAnswer('two')
  })

  test('a run without one has none', () => {
    expectCassette(empty).not.toHaveFinalAnswer(/.*/)
    expect(failure(() => expectCassette(empty).toHaveFinalAnswer('x')).message).toContain('the run has none')
  })
})

const completed: ['metadata', JsonValue] = ['metadata', { event: 'run_completed', status: 'success', result: 'done' }]
const failed: ['metadata', JsonValue] = ['metadata', { event: 'run_failed', status: 'error', reason: 'agent_error' }]
const asked: ['model_input', JsonValue] = ['model_input', ask]
const answered: ['model_output', JsonValue] = ['model_output', { type: 'final_answer', text: 'done' }]

describe('toHaveEndedWith', () => {
  const inUse = (trace: Trace) => ({ state: 'recording', path: '/app/a.cassette.json', trace }) as Cassette

  test('is what the last step says', () => {
    expectCassette(runOf(asked, answered, completed)).toHaveEndedWith('success')
    expectCassette(runOf(asked, failed)).toHaveEndedWith('error')
    expectCassette(runOf(asked, answered, completed, asked)).toHaveEndedWith('incomplete')
    expectCassette(runOf(asked, answered)).toHaveEndedWith('incomplete')
    expectCassette(runOf(asked, failed)).not.toHaveEndedWith('success')
  })

  test('of a cassette in use is what finishing it now would write', () => {
    expectCassette(inUse(runOf(asked, answered))).toHaveEndedWith('success')
    expectCassette(inUse(runOf(asked, ['model_output', { type: 'tool_calls', calls: [lookup] }]))).toHaveEndedWith(
      'incomplete',
    )
    expectCassette(inUse(runOf(asked, answered, asked))).toHaveEndedWith('incomplete')
    expectCassette(inUse(runOf(asked, failed))).toHaveEndedWith('error')
    expectCassette(inUse(empty)).toHaveEndedWith('incomplete')
  })

  test('a failure says how it did end', () => {
    expect(failure(() => expectCassette(runOf(asked, failed)).toHaveEndedWith('success')).message).toContain(
      'expected the run to end with success; it ended with error: agent_error',
    )
    expect(failure(() => expectCassette(run).toHaveEndedWith('success')).message).toMatch(/it has no end.*\n\n {2}user/)
  })
})

describe('toMatchTrace', () => {
  const later = {
    ...runOf(asked, answered, completed),
    steps: runOf(['model_input', { ...(ask as object), tools: [] }], asked, answered, completed).steps.slice(1),
  }
  const one = runOf(asked, answered, completed)

  test('is by hash unless it is semantic, where times do not count', () => {
    expectCassette(one).toMatchTrace(runOf(asked, answered, completed))
    expectCassette(one).not.toMatchTrace(later)
    expectCassette(one).toMatchTrace(later, { semantic: true })
    expectCassette(one).not.toMatchTrace(run, { semantic: true })
  })

  test('takes a file and a cassette in use', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'retake-')), 'a.cassette.json')
    writeFileSync(file, formatTrace(one, { format: 'v3' }))
    expectCassette(one).toMatchTrace(file)
    expectCassette(file).toMatchTrace({ state: 'replaying', path: file, trace: one } as Cassette)
    expect(() => expectCassette(one).toMatchTrace(`${file}.gone`)).toThrow(ConfigError)
  })

  test('a failure shows the difference, the other run as the old one', () => {
    const changed = runOf(asked, ['model_output', { type: 'final_answer', text: 'Done.' }], completed)
    const { message } = failure(() => expectCassette(changed).toMatchTrace(one, { semantic: true }))
    expect(message).toContain('expected the run to match the other, but it differs in what they say\n\n  --- expected')
    expect(message).toContain('      - text  "done"\n      + text  "Done."')
    expect(failure(() => expectCassette(one).not.toMatchTrace(one)).message).toContain('all steps are the same by hash')
  })

  test('a long difference is cut', () => {
    const long = runOf(...Array.from({ length: 60 }, (): ['metadata', JsonValue] => ['metadata', { event: 'note' }]))
    const { message } = failure(() => expectCassette(long).toMatchTrace(empty))
    expect(message).toMatch(/\n {4}… \d+ more lines; retake diff shows all$/)
    expect(message.split('\n').length).toBeLessThan(32)
  })
})

describe('toBeVerified', () => {
  const broken = { ...run, steps: run.steps.map((step, n) => (n === 1 ? { ...step, timestamp: 1 } : step)) }

  test('checks the hash chain of a run', () => {
    expectCassette(run).toBeVerified()
    expectCassette(broken).not.toBeVerified()
    expect(failure(() => expectCassette(broken).toBeVerified()).message).toContain('hash_chain fails')
  })

  test('checks a file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'retake-')), 'a.cassette.json')
    writeFileSync(file, formatTrace(run))
    expectCassette(file).toBeVerified()
    expectCassette(file).toHaveModelCalls(3)
  })
})

test('a failure points at the line of the test', () => {
  expect(failure(() => expectCassette(run).toHaveModelCalls(7)).stack).toMatch(
    /\n\s+at [^\n]*expect-cassette\.test\.ts/,
  )
})

test('every matcher counts as an assertion', () => {
  expect.assertions(2)
  expectCassette(run).toHaveModelCalls(3)
  expectCassette(run).not.toHaveModelCalls(4)
})

test('a cassette that is off is refused, not found empty', () => {
  const cassette = { state: 'off', path: '/app/a.cassette.json', trace: empty } as Cassette
  expect(() => expectCassette(cassette)).toThrow(ConfigError)
})

test('without the plugin it says what to do', () => {
  const state = globalThis as { [key: symbol]: unknown }
  const kept = state[Symbol.for('retake.vitest')]
  state[Symbol.for('retake.vitest')] = undefined
  try {
    expect(() => expectCassette(run)).toThrow(ConfigError)
  } finally {
    state[Symbol.for('retake.vitest')] = kept
  }
})
