import { existsSync } from 'node:fs'
import type { Cassette, ScriptedReply } from '@retake/session'
import { type ModelOutput, toolCallsOf } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { chatLoop } from './chat-loop.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { anthropicAt, chatRequest, messageRequest, openaiAt, postChat } from './sdk-clients.ts'

const nowhere = 'http://127.0.0.1:9'

async function scripted(script: ScriptedReply[], agent: (cassette: Cassette) => Promise<unknown>, options = {}) {
  await using file = await temporaryCassette()
  const run = await inTest(file.path, { ...options, script }, agent)
  expect(existsSync(file.path)).toBe(false)
  return run
}

const ask = (url = nowhere) => openaiAt(url).chat.completions.create(chatRequest())

describe('a reply', () => {
  test.each<[string, ScriptedReply, ModelOutput]>([
    ['is a text', 'Hello.', { type: 'final_answer', text: 'Hello.' }],
    ['is an answer', { type: 'final_answer', text: 'Hello.' }, { type: 'final_answer', text: 'Hello.' }],
    [
      'is one call',
      { toolName: 'lookup', toolInput: { n: 1 } },
      { type: 'tool_calls', calls: [{ toolCallId: 'call-0', toolName: 'lookup', toolInput: { n: 1 } }] },
    ],
    [
      'has calls, whose input is {} where none is given',
      { type: 'tool_calls', text: 'Wait.', calls: [{ toolName: 'lookup' }, { toolName: 'refund', toolInput: [1] }] },
      {
        type: 'tool_calls',
        calls: [
          { toolCallId: 'call-0', toolName: 'lookup', toolInput: {} },
          { toolCallId: 'call-1', toolName: 'refund', toolInput: [1] },
        ],
        text: 'Wait.',
      },
    ],
    [
      'tells why the model stopped',
      { type: 'final_answer', text: 'Hel', stop: 'length' },
      { type: 'final_answer', text: 'Hel', stop: 'length' },
    ],
  ])('%s', async (_, reply, output) => {
    const { cassette } = await scripted([reply], () => ask())
    expect(cassette.trace.steps.find(({ type }) => type === 'model_output')?.payload).toEqual(output)
  })

  test.each<[string, unknown, RegExp]>([
    ['a number', 7, /^script\[0\] must be a text, a call/],
    ['another type', { type: 'tool_call' }, /^script\[0\] must be a text, a call/],
    ['an answer without a text', { type: 'final_answer' }, /^script\[0\]\.text must be a text/],
    ['an answer with calls', { type: 'final_answer', text: '', calls: [] }, /^script\[0\]\.calls belongs to/],
    ['no call', { type: 'tool_calls', calls: [] }, /^script\[0\]\.calls must be a list of at least one call/],
    ['a call without a name', { type: 'tool_calls', calls: [{}] }, /^script\[0\]\.calls\[0\]\.toolName must be/],
    ['a slip of the pen', { toolName: 'a', input: 1 }, /^script\[0\]\.input is no member of a call/],
    ['another slip', { type: 'final_answer', text: '', txet: '' }, /^script\[0\]\.txet is no member of a reply/],
    ['a stop that is none', { type: 'final_answer', text: '', stop: 'x' }, /^script\[0\]\.stop must be end, tools,/],
    ['an input that JSON cannot hold', { toolName: 'a', toolInput: new Set() }, /A Set in script\[0\]\.toolInput/],
  ])('is not %s', async (_, reply, message) => {
    await expect(scripted([reply as ScriptedReply], () => ask())).rejects.toThrow(message)
  })
})

test('a script serves several SDKs in one test, streamed or not', async () => {
  const { value, result } = await scripted(['One.', 'Two.', 'Three.'], async () => {
    const first = await ask()
    const second = await anthropicAt(nowhere).messages.create(messageRequest())
    const third = await anthropicAt(nowhere).messages.stream(messageRequest()).finalText()
    return [first.choices[0]?.message.content, second.content, third]
  })
  expect(value).toEqual(['One.', [{ type: 'text', text: 'Two.' }], 'Three.'])
  expect(result).toMatchObject({ kind: 'scripted', liveCalls: 0, errors: [] })
})

test('running out is an error for the agent and the test, and the SDK does not try again', async () => {
  let attempts = 0
  await using file = await temporaryCassette()
  const run = inTest(file.path, { script: ['One.'] }, async () => {
    await ask()
    const response = await postChat(nowhere)
    attempts++
    return [response.status, await response.text()]
  })
  const { value, result } = await run
  expect(value).toEqual([
    400,
    expect.stringContaining('the agent made a 2nd request to the model; the script has 1 reply'),
  ])
  expect(attempts).toBe(1)
  expect(result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_CASSETTE_EXHAUSTED' }] })
  expect(result.errors[0]?.message).toContain('Add what the model says then to `script`')
})

test('replies that nobody asked for are an error, unless that is allowed', async () => {
  const { result } = await scripted(['One.', 'Two.', 'Three.'], () => ask())
  expect(result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_UNUSED_STEPS' }] })
  expect(result.errors[0]?.message).toContain('2 of 3 replies in the script unused: script[1] is the first')
  const allowed = await scripted(['One.', 'Two.'], () => ask(), { allowUnused: true })
  expect(allowed.result).toMatchObject({ kind: 'scripted', errors: [] })
})

test('wrapped tools run, and are seen', async () => {
  const runs: unknown[] = []
  const call = { toolName: 'lookup', toolInput: { n: 4 } }
  const { value, cassette } = await scripted([call, 'Found.'], (handle) =>
    chatLoop(
      nowhere,
      handle.tools({
        lookup: async (input: object) => {
          runs.push(input)
          return 'order 4'
        },
      }),
    ),
  )
  expect([value, runs]).toEqual(['Found.', [{ n: 4 }]])
  expect(cassette.trace.steps.map(({ type }) => type)).toEqual([
    'model_input',
    'model_output',
    'tool_call',
    'tool_result',
    'model_input',
    'model_output',
  ])
  const output = cassette.trace.steps[1]?.payload as unknown as ModelOutput
  expect(toolCallsOf(output)).toEqual([{ toolCallId: 'call-0', ...call }])
})

test('nothing leaves the machine', async () => {
  const { result } = await scripted(['One.'], async () => {
    await ask()
    await fetch('http://weather.example/paris').catch(() => undefined)
  })
  expect(result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_UNSUPPORTED' }] })
  expect(result.errors[0]?.message).toContain("`allow: ['weather.example']`")
})

test('a cassette of the test is neither read nor written', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: [] })
  const { value } = await inTest(file.path, { script: ['One.'], mode: 'replay' }, () => ask(provider.url))
  expect(value.choices[0]?.message.content).toBe('One.')
  expect(provider.requests).toEqual([])
  await expect(inTest(file.path, { script: [], fork: { at: 0, then: [] } }, async () => 0)).rejects.toThrow(
    /a run is scripted or forked/,
  )
})
