import { isRetakeError, type JsonObject } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { bundlePath, copyBundle, edit } from '../../test/corpus-bundles.ts'
import { parseTokens } from '../json/parse-tokens.ts'
import { toPlain } from '../json/plain-json.ts'
import type { TokenObject } from '../json/tokens.ts'
import { stepforkHash } from './canonical.ts'
import { loadStepfork } from './load-bundle.ts'
import { createStepforkReplay } from './replay-bundle.ts'

const replayOf = (name: string) => createStepforkReplay(loadStepfork(bundlePath(name)))
const weather = { messages: [{ role: 'user', content: 'Find Kathmandu weather' }] }
const errorOf = (act: () => unknown): Error => {
  try {
    act()
  } catch (error) {
    if (isRetakeError(error)) return error
    throw error
  }
  throw new TypeError('nothing was thrown')
}

describe('a replay in the recorded order', () => {
  test('gives the recorded outputs; key order of the input does not count', () => {
    const replay = replayOf('successful_run')
    expect(
      replay.llm({ model: 'gpt-test', input: { messages: [{ content: 'Find Kathmandu weather', role: 'user' }] } }),
    ).toEqual({
      tool: 'weather_lookup',
    })
    expect(replay.pending).toBe(1)
    expect(replay.tool('weather_lookup', { city: 'Kathmandu' })).toEqual({ condition: 'clear', temperature_c: 22 })
    expect(replay.verifyComplete()).toBeUndefined()
    expect(errorOf(() => replay.tool('weather_lookup', { city: 'Kathmandu' })).message).toBe(
      "unexpected tool call 'weather_lookup': all 2 recorded dependency call(s) were already consumed\n" +
        '  actual input fingerprint: ac2c75a430c38892e8f4b5f139807069ede144f182164580bc8fd384b5e23501',
    )
  })

  test('every call of the langgraph run, six of them', () => {
    const bundle = loadStepfork(bundlePath('langgraph_failure'))
    const replay = createStepforkReplay(bundle)
    for (const event of bundle.events.map((one) => toPlain(one) as JsonObject)) {
      const { type, input = null } = event
      if (type === 'tool_call') replay.tool(String(event.name), input)
      if (type === 'llm_request') replay.llm({ provider: String(event.provider), model: String(event.model), input })
    }
    expect(() => replay.verifyComplete()).not.toThrow()
    expect(replay.pending).toBe(0)
  })

  test('a recorded failure is thrown again with its class and message, and is no divergence', () => {
    const replay = replayOf('failed_tool_run')
    // The key was redacted before it was hashed: whatever the agent passes now is redacted too.
    const error = errorOf(() => replay.tool('flight_search', { query: 'Kathmandu flights', api_key: 'another key' }))
    expect(error).toMatchObject({
      code: 'RETAKE_RECORDED_DEPENDENCY',
      message: "tool 'flight_search' failed in the recording: ToolTimeout: flight_search timed out",
      details: { kind: 'tool', name: 'flight_search', errorType: 'ToolTimeout' },
    })
    expect([replay.divergence, replay.pending]).toEqual([undefined, 0])
    const llm = errorOf(() =>
      replayOf('failed_llm_run').llm({
        model: 'gpt-test',
        input: { messages: [{ role: 'user', content: 'Draft response' }] },
      }),
    )
    expect(llm.message).toContain('LLMError: model unavailable')
  })
})

describe('another way than recorded', () => {
  test.each<[string, () => unknown, string]>([
    [
      'another tool',
      () => replayOf('diff_baseline').tool('hotel_search', {}),
      "call #1: expected tool 'flight_search' but the agent called 'hotel_search'",
    ],
    [
      'another kind',
      () => replayOf('successful_run').tool('weather_lookup', {}),
      "call #1: expected llm 'gpt-test' but the agent made a tool call 'weather_lookup'",
    ],
    [
      'another model',
      () => replayOf('successful_run').llm({ model: 'gpt-5', input: weather }),
      "call #1: expected LLM model 'gpt-test' but the agent used 'gpt-5'",
    ],
    [
      'another provider',
      () => replayOf('successful_run').llm({ provider: 'openai', model: 'gpt-test', input: weather }),
      "call #1: expected provider 'null' but the agent used 'openai'",
    ],
    [
      'another input',
      () => replayOf('diff_baseline').tool('flight_search', { destination: 'Porto' }),
      "call #1: tool 'flight_search' input diverged from the recording",
    ],
    [
      'no result',
      () => replayOf('partial_run').tool('search', { query: 'Kathmandu flights' }),
      "no captured result for recorded tool call 'search' at position 1",
    ],
  ])('%s', (_, act, message) => {
    expect(errorOf(act)).toMatchObject({ code: 'RETAKE_STEPFORK_REPLAY', message: expect.stringContaining(message) })
  })

  test('fingerprints of both sides and what they said, to 200 characters', () => {
    const long = 'x'.repeat(300)
    const lines = errorOf(() => replayOf('diff_baseline').tool('flight_search', { destination: long })).message.split(
      '\n',
    )
    expect(lines).toEqual([
      "call #1: tool 'flight_search' input diverged from the recording",
      '  recorded input fingerprint: 9c4f15e050d2abc8a4f804be1c5b7afbbb30a26f1365e8c4ededc88dbd0c97d1',
      `  actual input fingerprint:   ${stepforkHash(new Map([['destination', long]]))}`,
      '  recorded: {"destination":"Lisbon"}',
      `  actual:   ${`{"destination":"${long}"}`.slice(0, 199)}…`,
    ])
  })

  test('what the agent swallowed is remembered, and a run that ends early is told', () => {
    const replay = replayOf('diff_baseline')
    const swallowed = errorOf(() => replay.tool('flight_search', { destination: 'Porto' }))
    replay.tool('flight_search', { destination: 'Lisbon' })
    expect(replay.divergence).toBe(swallowed)
    expect(errorOf(() => replay.verifyComplete())).toBe(swallowed)
    expect(errorOf(() => replayOf('successful_run').verifyComplete()).message).toBe(
      'replay ended before consuming 2 recorded dependency call(s): #1 llm gpt-test, #2 tool weather_lookup',
    )
    expect(errorOf(() => replayOf('incident-triage').verifyComplete()).message).toMatch(/ 6 recorded .* \(\+1 more\)$/)
  })

  test('a bundle without stored hashes replays on exact input, with a computed fingerprint in its messages', () => {
    const bundle = loadStepfork(bundlePath('diff_baseline'))
    for (const event of bundle.events) {
      event.delete('input_hash')
      event.set('output_hash', null)
    }
    expect(createStepforkReplay(bundle).tool('flight_search', { destination: 'Lisbon' })).toBeTypeOf('object')
    const { message } = errorOf(() => createStepforkReplay(bundle).tool('flight_search', { destination: 'Porto' }))
    expect(message).toContain(
      '9c4f15e050d2abc8a4f804be1c5b7afbbb30a26f1365e8c4ededc88dbd0c97d1 (computed; recording had no stored input_hash)',
    )
  })

  test.each([
    ['"input":{"destination":"Lisbon"}}\n{"id":"evt', 'input', 'invalid input fingerprint'],
    ['"price":', 'output', 'invalid output fingerprint'],
  ])('a bundle that was edited is not replayed: %#', (_, which, message) => {
    const folder = copyBundle('diff_changed')
    if (which === 'output') edit(folder, 'events.jsonl', '"price":450', '"price":4')
    else
      edit(
        folder,
        'events.jsonl',
        '"name":"flight_search","input":{"destination":"Lisbon"}',
        '"name":"flight_search","input":{"destination":"Porto"}',
      )
    const replay = createStepforkReplay(loadStepfork(folder))
    const destination = which === 'output' ? 'Lisbon' : 'Porto'
    expect(errorOf(() => replay.tool('flight_search', { destination })).message).toContain(message)
  })

  test.each([
    ['forbidden', 'forbids automatic replay'],
    ['manual', 'requires manual approval'],
  ])('the policy %s', (policy, message) => {
    const bundle = loadStepfork(bundlePath('diff_baseline'))
    bundle.events[1]?.set('replay_policy', policy)
    const replay = createStepforkReplay(bundle)
    expect(errorOf(() => replay.tool('flight_search', { destination: 'Lisbon' })).message).toContain(message)
    expect(replay.divergence).toBeDefined()
  })
})

test('a call inside another is hidden; one after its result is not', () => {
  const bundle = loadStepfork(bundlePath('diff_baseline'))
  const [start, call, result, end] = bundle.events as [TokenObject, TokenObject, TokenObject, TokenObject]
  const inner = new Map([...call, ['id', 'inner'], ['parent_id', call.get('id') ?? null], ['name', 'inner_tool']])
  const innerResult = new Map([...result, ['id', 'inner-result'], ['parent_id', 'inner'], ['name', 'inner_tool']])
  const later = new Map([...call, ['id', 'later'], ['parent_id', result.get('id') ?? null]])
  const laterResult = new Map([
    ...result,
    ['id', 'later-result'],
    ['parent_id', 'later'],
    ['output', parseTokens('1')],
    ['output_hash', null],
  ])
  bundle.events = [start, call, inner, innerResult, result, later, laterResult, end] as TokenObject[]
  const replay = createStepforkReplay(bundle)
  expect(replay.pending).toBe(2)
  expect(replay.tool('flight_search', { destination: 'Lisbon' })).not.toBe(1)
  expect(replay.tool('flight_search', { destination: 'Lisbon' })).toBe(1)
})
