import type { Cassette, CassetteTraceCapture } from '@retake/session'
import {
  type AdapterFactory,
  captureTurnTrace,
  createReplayAdapter,
  parseReplayFixture,
  serializeReplayFixture,
} from 'retake/formats'
import { expect, test } from 'vitest'
import { chatCall } from '../support/fake-provider/chat.ts'
import { chatLoop, toolScript } from './chat-loop.ts'
import { recordAndReplay } from './record-and-replay.ts'

const lookup = async () => 'late'

/** An agent with a policy of its own between the model and the tool. */
async function agent(url: string, cassette: Cassette): Promise<CassetteTraceCapture> {
  const capture = cassette.captureTrace({ redactFields: ['token'], now: () => new Date(0) })
  const turn = captureTurnTrace(capture, { kind: 'agentic', fromState: 'idle', toState: 'open' })
  const decide = (tool: typeof lookup) => () => {
    capture.append({
      category: 'policy',
      parentId: turn.id,
      detail: { action: 'lookup', decision: 'allow', token: 'x' },
    })
    return tool()
  }
  await chatLoop(url, { lookup: decide(cassette.tool('lookup', lookup)) })
  return capture
}

const script = toolScript([chatCall('call_0', 'lookup', { n: 1 })])

test('decisions stand beside the traffic, while recording and in a replay alike', async () => {
  const { recorded, replayed } = await recordAndReplay(script, agent)
  const [first, second] = [recorded, replayed].map(({ value }) => value.fixture())
  expect(recorded.value.snapshot()).toEqual([
    expect.objectContaining({ category: 'agent', detail: { kind: 'agentic', fromState: 'idle', toState: 'open' } }),
    expect.objectContaining({
      ...{ category: 'policy', parentId: 'trace-0' },
      detail: { action: 'lookup', decision: 'allow', token: '[REDACTED]' },
    }),
  ])
  expect(second?.traces).toEqual(first?.traces)
  expect(second?.cassette.entries.map(({ chunks }) => chunks)).toEqual(
    first?.cassette.entries.map(({ chunks }) => chunks),
  )
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('the fixture of a test can be committed, and an adapter of AgentsKit replays it', async () => {
  const { recorded } = await recordAndReplay(script, agent)
  const { cassette, traces } = parseReplayFixture(serializeReplayFixture(recorded.value.fixture()))
  expect(traces).toHaveLength(2)
  const adapter: AdapterFactory = createReplayAdapter(cassette)
  const [request] = cassette.entries.map(({ request }) => request)
  if (!request) throw new TypeError('no entry')
  const chunks = []
  for await (const chunk of adapter.createSource(request).stream()) chunks.push(chunk)
  expect(chunks).toMatchObject([
    { type: 'tool_call', toolCall: { name: 'lookup' } },
    { type: 'usage' },
    { type: 'done' },
  ])
})

test('a fixture with a credential is not given out', async () => {
  const { recorded } = await recordAndReplay(script, async (url, cassette) => {
    const capture = await agent(url, cassette)
    capture.append({ category: 'action', detail: { note: `sk-proj-${'a1'.repeat(20)}` } })
    return capture
  })
  expect(() => recorded.value.fixture()).toThrow(expect.objectContaining({ code: 'RETAKE_SECRET_FOUND' }))
})
