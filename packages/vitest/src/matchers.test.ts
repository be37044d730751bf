import { describe, expect, test } from 'vitest'
import { failure, runOf, setUpMatchers } from '../test/expectations.ts'
import { expectCassette } from './expect-cassette.ts'
import { extendExpect } from './global-matchers.ts'

const failedLookup = { toolCallId: 'call-0', toolName: 'lookupOrder', error: 'no such order' }
const failedMail = { type: 'tool_result', toolCallId: 'call-1', toolName: 'mail', error: 'mailbox full' }
const request = { model: 'gpt-5.5', systemPrompt: 'You refund orders.', tools: [], messages: [] }
const run = runOf(
  ['model_input', { ...request, messages: [{ role: 'user', content: 'Where is A-77?' }] }],
  [
    'model_output',
    {
      type: 'tool_calls',
      calls: [
        { toolCallId: 'call-0', toolName: 'lookupOrder', toolInput: { orderId: 'A-77' } },
        { toolCallId: 'call-1', toolName: 'mail', toolInput: {} },
      ],
    },
  ],
  ['tool_call', { toolCallId: 'call-0', toolName: 'lookupOrder', toolInput: { orderId: 'A-77' } }],
  ['tool_result', failedLookup],
  [
    'model_input',
    {
      ...request,
      model: 'gpt-5.5-mini',
      messages: [
        { role: 'user', content: 'Where is A-77?' },
        { role: 'user', content: [{ type: 'tool_result', ...failedLookup }, failedMail] },
      ],
    },
  ],
  ['model_output', { type: 'final_answer', text: 'I could not find it.' }],
)
const empty = runOf()

setUpMatchers()

describe('toHaveUsedModel', () => {
  test('holds for the name of any request', () => {
    expectCassette(run).toHaveUsedModel('gpt-5.5')
    expectCassette(run).toHaveUsedModel('gpt-5.5-mini')
    expectCassette(run).toHaveUsedModel(expect.stringMatching(/mini$/))
    expectCassette(run).not.toHaveUsedModel('gpt-5')
    expectCassette(empty).not.toHaveUsedModel('gpt-5.5')
  })

  test('a failure names the models and shows the conversation', () => {
    const { message } = failure(() => expectCassette(run).toHaveUsedModel('gpt-4'))
    expect(message).toContain('expected the agent to use the model "gpt-4"\n  used: gpt-5.5, gpt-5.5-mini\n')
    expect(message).toMatch(/^ {2}user +Where is A-77\?$/m)
    expect(failure(() => expectCassette(run).not.toHaveUsedModel('gpt-5.5')).message).toContain('not to use')
  })
})

describe('toHaveSentSystemPrompt', () => {
  test('takes all of it, or a pattern', () => {
    expectCassette(run).toHaveSentSystemPrompt('You refund orders.')
    expectCassette(run).toHaveSentSystemPrompt(/refund/g)
    expectCassette(run).toHaveSentSystemPrompt(/refund/g)
    expectCassette(run).not.toHaveSentSystemPrompt('refund')
    expectCassette(empty).not.toHaveSentSystemPrompt(/./)
  })

  test('a failure compares the prompts', () => {
    const error = failure(() => expectCassette(run).toHaveSentSystemPrompt('You refund nothing.'))
    expect(error.message).toContain('expected the system prompt to be exactly this\n')
    expect(error).toMatchObject({ actual: 'You refund orders.', expected: 'You refund nothing.' })
    expect(failure(() => expectCassette(empty).toHaveSentSystemPrompt(/x/)).message).toContain('no request has one')
  })
})

describe('toHaveToolError', () => {
  test('knows wrapped tools, and what the agent told the model of others', () => {
    expectCassette(run).toHaveToolError('lookupOrder')
    expectCassette(run).toHaveToolError('lookupOrder', 'no such order')
    expectCassette(run).toHaveToolError('mail', /full$/)
    expectCassette(run).toHaveToolError('mail', expect.stringContaining('box'))
    expectCassette(run).not.toHaveToolError('mail', 'full')
    expectCassette(run).not.toHaveToolError('refund')
  })

  test('a failure lists each error once', () => {
    const error = failure(() => expectCassette(run).toHaveToolError('lookupOrder', 'timeout'))
    expect(error.message).toContain(
      'expected lookupOrder to fail with "timeout"\n  failed: lookupOrder (no such order), mail (mailbox full)\n',
    )
    expect(error).toMatchObject({ actual: 'no such order', expected: 'timeout' })
  })
})

describe('toStayWithin', () => {
  test('a limit includes itself', () => {
    expectCassette(run).toStayWithin({})
    expectCassette(run).toStayWithin({ modelCalls: 2, toolCalls: 2 })
    expectCassette(run).not.toStayWithin({ modelCalls: 2, toolCalls: 1 })
  })

  test('a failure names what went over', () => {
    const { message } = failure(() => expectCassette(run).toStayWithin({ modelCalls: 1, toolCalls: 2 }))
    expect(message).toContain('it went over: modelCalls 2 of 1\n')
    const opposite = failure(() => expectCassette(run).not.toStayWithin({ toolCalls: 2 }))
    expect(opposite.message).toContain('it stayed within: toolCalls 2 of 2\n')
  })

  test('nothing is taken for zero that is not known', () => {
    expect(() => expectCassette(run).toStayWithin({ inputTokens: 5 })).toThrow(
      'toStayWithin(): inputTokens is not known: this run has replies without token counts',
    )
    const limits = (value: object) => () => expectCassette(run).toStayWithin(value)
    expect(limits({ tokens: 3 })).toThrow('toStayWithin() has no limit "tokens"; it takes modelCalls, toolCalls,')
    expect(limits({ modelCalls: Number.NaN })).toThrow('modelCalls must be a number, 0 or more')
  })

  test('counts the tokens of a file', () => {
    const file = new URL(
      '../../../examples/refund-agent-vitest/test/__cassettes__/refund-agent.test.ts/refunds-a-late-order.cassette.json',
      import.meta.url,
    ).pathname
    // `retake inspect` says 93 in, 51 out: the sums of `tokens` in the file.
    expectCassette(file).toStayWithin({ inputTokens: 93, outputTokens: 51 })
    expectCassette(file).not.toStayWithin({ inputTokens: 92 })
    expectCassette(file).not.toStayWithin({ outputTokens: 50 })
  })
})

test('toMatchTranscriptSnapshot keeps the conversation in full', () => {
  const long = 'a long answer '.repeat(20).trim()
  const spoken = runOf(
    ['model_input', { ...request, messages: [{ role: 'user', content: 'Tell me all.' }] }],
    ['model_output', { type: 'final_answer', text: long }],
  )
  expectCassette(spoken).toMatchTranscriptSnapshot()
})

test('retake/matchers puts them on the global expect', () => {
  extendExpect()
  expect(run).toHaveCalledTool('lookupOrder', { orderId: expect.any(String) })
  expect(run).not.toHaveModelCalls(3)
  expect(failure(() => expect(run).toHaveUsedModel('gpt-4')).message).toContain('expected the agent to use the model')
  expect(() => expect(3 as unknown).toHaveUsedModel('gpt-4')).toThrow('expectCassette() takes')
})
