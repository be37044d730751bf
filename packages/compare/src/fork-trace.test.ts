import {
  CassetteCorruptError,
  ConfigError,
  formatTrace,
  type JsonValue,
  loadTrace,
  type ModelInput,
  parseTrace,
  type Trace,
  TraceRecorder,
  type TraceStep,
  type TraceStepType,
  UnsupportedError,
  verifyTrace,
} from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { continueTrace } from './continue-trace.ts'
import { diffTraces } from './diff-traces.ts'
import { type ForkOptions, forkTrace } from './fork-trace.ts'
import { toHistory } from './to-history.ts'
import { nextToolCallId } from './tool-call-ids.ts'

const corpus = (name: string): Trace =>
  loadTrace(new URL(`../../../test/corpus/blackbox/${name}.json`, import.meta.url).pathname)
const parent = corpus('fork-parent.v2')
const publicChild = corpus('fork-child.v2')
const incident = corpus('triage-incident')
const hypothesis = corpus('triage-hypothesis')

const payloadOf = (step: TraceStep | undefined): unknown => step?.payload
const resultOf = ({ steps }: Trace, index: number): JsonValue =>
  (payloadOf(steps[index]) as { result: JsonValue }).result
const hashes = ({ steps }: Trace): string[] => steps.map(({ hash }) => hash)
const noHotels = resultOf(publicChild, 3)

describe('the public forks come out of their parents', () => {
  test('with a changed result before the fork point', () => {
    const child = forkTrace(parent, { at: 4, toolResultMutations: { 3: noHotels }, createdAt: 0 })
    expect(hashes(child)).toEqual(hashes(publicChild).slice(0, 4))
    const { id, parentId, forkedFromStepId, createdAt } = child
    expect({ id, parentId, forkedFromStepId, createdAt }).toEqual({
      id: publicChild.id,
      parentId: publicChild.parentId,
      forkedFromStepId: publicChild.forkedFromStepId,
      createdAt: 0,
    })
    expect(toHistory(child)).toEqual((payloadOf(publicChild.steps[4]) as ModelInput).messages)
    const whole = continueTrace(child, publicChild.steps.slice(4))
    expect(hashes(whole)).toEqual(hashes(publicChild))
    expect(diffTraces(parent, whole).firstDivergenceIndex).toBe(3)
  })

  test('with another result at the fork point, to the byte', () => {
    const { id, createdAt } = hypothesis
    const child = forkTrace(incident, { at: 5, set: resultOf(hypothesis, 5), id, createdAt })
    expect(diffTraces(incident, child).firstDivergenceIndex).toBe(5)
    expect(continueTrace(child, hypothesis.steps.slice(6))).toEqual(hypothesis)
  })
})

// What stands before each fork point, from the table of the format page.
test.each<[number, TraceStepType, TraceStepType[]]>([
  [0, 'model_input', []],
  [4, 'model_input', ['model_input', 'model_output', 'tool_call', 'tool_result']],
  [1, 'model_output', ['model_input']],
  [2, 'tool_call', ['model_input', 'model_output']],
  [3, 'tool_result', ['model_input', 'model_output', 'tool_call']],
])('a fork at step %i, a %s, holds the steps before it', (at, type, prefix) => {
  expect(parent.steps[at]?.type).toBe(type)
  const child = forkTrace(parent, { at })
  expect(child.steps.map((step) => step.type)).toEqual(prefix)
  expect(child.steps).toEqual(parent.steps.slice(0, at))
  expect(child).toMatchObject({ parentId: parent.id, forkedFromStepId: `fixture-fork-parent:${at}` })
  expect(verifyTrace(child).pass).toBe(true)
  // The first step of its own is linked to the last shared one.
  const next = continueTrace(child, [
    { type: 'model_input', payload: { messages: [{ role: 'user', content: 'else' }], tools: [] }, timestamp: 1 },
  ])
  expect(next.steps[at]?.prevHash).toBe(parent.steps[at - 1]?.hash ?? null)
  expect(diffTraces(parent, next).firstDivergenceIndex).toBe(at)
})

test('steps before the first changed result are copied, later ones keep their times and get new hashes', () => {
  const child = forkTrace(incident, { at: 6, toolResultMutations: { 3: 'unknown code' }, id: 'child' })
  expect(child.steps.slice(0, 3)).toEqual(incident.steps.slice(0, 3))
  expect(child.steps.map(({ timestamp }) => timestamp)).toEqual(
    incident.steps.slice(0, 6).map(({ timestamp }) => timestamp),
  )
  for (const index of [3, 4, 5]) expect(child.steps[index]?.hash).not.toBe(incident.steps[index]?.hash)
  expect(child.steps.map(({ id }) => id)).toEqual([
    ...['triage-incident:0', 'triage-incident:1', 'triage-incident:2'],
    ...['child:3', 'child:4', 'child:5'],
  ])
  expect(child.forkedFromStepId).toBe('triage-incident:6')
  expect(diffTraces(incident, child).firstDivergenceIndex).toBe(3)
  expect(verifyTrace(child).pass).toBe(true)
})

test('a changed result keeps its call and its tool, also where it was an error', () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  const call = { toolCallId: 'call-0', toolName: 't', toolInput: {} }
  recorder.append('model_input', { messages: [{ role: 'user', content: 'hi' }], tools: [] }, 1)
  recorder.append('model_output', { type: 'tool_calls', calls: [call], text: 'Let me see.' }, 2)
  recorder.append('tool_call', call, 3)
  recorder.append('tool_result', { toolCallId: 'call-0', toolName: 't', error: 'down', errorName: 'TypeError' }, 4)
  recorder.append('model_input', { messages: [], tools: [] }, 5)
  const child = forkTrace(recorder.toTrace(), { at: 4, toolResultMutations: { 3: null } })
  expect(child.steps[3]?.payload).toEqual({ toolCallId: 'call-0', toolName: 't', result: null })
  expect(toHistory(child)).toEqual([
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', ...call },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', toolCallId: 'call-0', toolName: 't', result: null }] },
  ])
})

test('no change at all is a plain fork, and one at the fork point leaves all before it', () => {
  expect(forkTrace(parent, { at: 4, toolResultMutations: {} }).steps).toEqual(parent.steps.slice(0, 4))
  const both = forkTrace(incident, { at: 5, toolResultMutations: { 3: 'a' }, set: 'b' })
  expect([3, 5].map((index) => resultOf(both, index))).toEqual(['a', 'b'])
})

const refused = (options: ForkOptions, trace = parent): string => {
  try {
    forkTrace(trace, options)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message.replace('the trace cannot be forked: ', '')
  }
  throw new TypeError('it was not refused')
}

test.each<[ForkOptions, string]>([
  [{ at: 15 }, 'the fork point is the index of one of its 15 steps, not 15'],
  [{ at: -1 }, 'the fork point is the index of one of its 15 steps, not -1'],
  [{ at: 1.5 }, 'the fork point is the index of one of its 15 steps, not 1.5'],
  [{ at: Number.NaN }, 'the fork point is the index of one of its 15 steps, not NaN'],
  [{ at: '4' as never }, 'the fork point is the index of one of its 15 steps, not 4'],
  [{ at: 14 }, 'step 14 is metadata, from which no run goes on; fork at a step before it'],
  [
    { at: 4, toolResultMutations: { 2: 0 } },
    'toolResultMutations changes step 2, a tool_call; only a tool_result can change',
  ],
  [
    { at: 4, toolResultMutations: { 4: 0 } },
    'toolResultMutations changes step 4, which is not before the fork point 4',
  ],
  [
    { at: 4, toolResultMutations: { 7: 0 } },
    'toolResultMutations changes step 7, which is not before the fork point 4',
  ],
  ...['03', '-1', '3.0', '3e0', ' 3', 'three', ''].map((key): [ForkOptions, string] => [
    { at: 4, toolResultMutations: { [key]: 0 } },
    `toolResultMutations has the key "${key}", which is no index of a step`,
  ]),
  [
    { at: 5, toolResultMutations: { 3: 0 } },
    'the changed result of step 3 would leave the model_input at step 4 stale; fork at 4 or before',
  ],
  [
    { at: 12, toolResultMutations: { 7: 0, 11: 0 } },
    'the changed result of step 7 would leave the model_input at step 8 stale; fork at 8 or before',
  ],
  [{ at: 4, set: 'x' }, 'step 4 is a model_input, so it has no result to set'],
  [{ at: 4, id: '' }, 'its id is a text that is not empty'],
  [{ at: 4, id: 'fixture-fork-parent' }, 'it needs another id than its parent'],
  [{ at: 4, createdAt: 0.5 }, 'createdAt is in whole milliseconds since the epoch'],
])('%j is refused', (options, message) => {
  expect(refused(options)).toBe(message)
})

test('metadata between two attempts is no fork point either', () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  recorder.append('model_input', { messages: [], tools: [] }, 1)
  recorder.append('metadata', { event: 'model_error', status: 429, kind: 'rate_limit', message: 'slow' }, 2)
  recorder.append('model_output', { type: 'final_answer', text: 'done' }, 3)
  expect(refused({ at: 1 }, recorder.toTrace())).toContain('step 1 is metadata')
  expect(forkTrace(recorder.toTrace(), { at: 2 }).steps).toHaveLength(2)
})

test('a parent that does not verify is refused without a stored value', () => {
  const steps = parent.steps.map((step): TraceStep => (step.index === 9 ? { ...step, timestamp: 5 } : step))
  const fork = () => forkTrace({ ...parent, steps }, { at: 4 })
  expect(fork).toThrow(CassetteCorruptError)
  expect(fork).toThrow('does not verify: hash_chain at step 9')
})

test('a result that JSON cannot hold is refused', () => {
  expect(() => forkTrace(parent, { at: 4, toolResultMutations: { 3: new Map() as never } })).toThrow(UnsupportedError)
})

test('a fork of a v3 cassette is the same, and neither it nor the parent changes', () => {
  const text = formatTrace(parent, { format: 'v3' })
  const from = parseTrace(text)
  const child = forkTrace(from, { at: 4, toolResultMutations: { 3: noHotels }, createdAt: 0 })
  expect(hashes(child)).toEqual(hashes(publicChild).slice(0, 4))
  expect(formatTrace(from, { format: 'v3' })).toBe(text)
  const again = formatTrace(child, { format: 'v3' })
  expect(parseTrace(again)).toEqual(child)
})

test('now is the time of a fork unless it is given', () => {
  const before = Date.now()
  const { createdAt } = forkTrace(parent, { at: 4 })
  expect(createdAt).toBeGreaterThanOrEqual(before)
  expect(createdAt).toBeLessThanOrEqual(Date.now())
})

describe('new calls', () => {
  const asks = (id: string) => ({
    type: 'model_output' as const,
    payload: { type: 'tool_calls', calls: [{ toolCallId: id, toolName: 'search', toolInput: {} }] },
    timestamp: 9,
  })

  test.each([
    [0, 'call-0'],
    [1, 'call-0'],
    [2, 'call-1'],
    [4, 'call-1'],
    [9, 'call-2'],
    [13, 'call-3'],
  ])('start past the ids of the steps before %i: %s', (at, id) => {
    expect(nextToolCallId(forkTrace(parent, { at }))).toBe(id)
  })

  test('start past ids in both call shapes and in histories, not past what tools said', () => {
    const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
    const next = () => nextToolCallId(recorder.toTrace())
    const use = { type: 'tool_use', toolCallId: 'call-4', toolName: 't', toolInput: { toolCallId: 'call-90' } }
    recorder.append('model_input', { messages: [{ role: 'assistant', content: [use] }], tools: [] }, 0)
    expect(next()).toBe('call-5')
    recorder.append('model_output', asks('call-11').payload, 0)
    expect(next()).toBe('call-12')
    recorder.append('tool_result', { toolCallId: 'other', toolName: 't', result: { toolCallId: 'call-91' } }, 0)
    recorder.append('tool_call', { toolCallId: 'call-99999999999999999999', toolName: 't', toolInput: 1 }, 0)
    expect(next()).toBe('call-12')
  })

  test('that repeat an id are refused', () => {
    const child = forkTrace(parent, { at: 4 })
    expect(() => continueTrace(child, [asks('call-0')])).toThrow(
      'step 4 has the call "call-0" again; the next free id is call-1',
    )
    expect(() => continueTrace(child, [asks('call-1'), asks('call-1')])).toThrow(ConfigError)
    expect(continueTrace(child, [asks('call-1'), asks('call-2')]).steps).toHaveLength(6)
  })

  test('that the prefix asked for and nobody ran may still run', () => {
    const child = forkTrace(parent, { at: 2 })
    expect(toHistory(child)).toEqual([{ role: 'user', content: 'Book a hotel for Alice this weekend.' }])
    const ran = continueTrace(child, parent.steps.slice(2, 4))
    expect(verifyTrace(ran).pass).toBe(true)
    expect(() => continueTrace(ran, parent.steps.slice(2, 3))).toThrow('step 4 has the call "call-0" again')
  })
})

test('a parallel round is one turn of calls and one of results, with what has no result left out', () => {
  const full = toHistory({ steps: incident.steps.slice(0, 6) })
  expect(
    full.map(({ role, content }) => [role, Array.isArray(content) ? content.map(({ type }) => type) : 'text']),
  ).toEqual([
    ['user', 'text'],
    ['assistant', ['text', 'tool_use', 'tool_use']],
    ['user', ['tool_result', 'tool_result']],
  ])
  const [, , half] = toHistory({ steps: incident.steps.slice(0, 5) })
  expect(half?.content).toHaveLength(1)
  expect(toHistory({ steps: [] })).toEqual([])
  expect(toHistory({ steps: parent.steps }).at(-1)).toEqual({
    role: 'assistant',
    content: 'Hotel booked for Alice on 2024-03-15 at 14:00.',
  })
})
