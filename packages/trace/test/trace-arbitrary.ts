import fc from 'fast-check'
import {
  type JsonObject,
  type JsonValue,
  stepHash,
  type Trace,
  type TraceStep,
  type TraceStepType,
} from '../src/index.ts'

/** Texts that a format could trip over: line ends, escapes, lone surrogates, unseen characters, special names. */
const text = fc.constantFrom(
  ...['', 'a', 'order A-77 is late', '\n', 'a\n', '\na', 'a\nb\nc', '\r\n', 'x\r\ny\r\n', '\r', 'one\n\n\nfour\n'],
  ...[
    '\ud800',
    'x\udfff\ny',
    '\udc00\ud800',
    '\u{1f600}',
    '\u2028\n\u2029',
    '"\\\n',
    '\t\b\f\v\u0000\n',
    'é日本',
    '\u007f',
  ],
  ...['\ufeff', 'a\u200bb', '\u202eabc\n\u2066', '\u200f', 'x'.repeat(120), 'word '.repeat(19), 'y'.repeat(60)],
  ...['$lines', '$$lines', '__proto__', '{"a":\n1}', '1.0', 'constructor', '<<<<<<< HEAD\n=======\n'],
)

const number = fc.constantFrom(
  ...[0, 1, -1, 1e21, 1e-7, 0.1, 123456789012345680000, 2 ** 53 - 1, 2 ** 53, -(2 ** 53) - 2, 1e300, 5e-324],
  ...[1.7976931348623157e308, 1e16, 1e20, 12345.678, 1e-6, 100],
)

const specialNames = ['$lines', '$$lines', '$keep', '$call', '$result', '$$keep', '$$$call']

const name = fc.constantFrom(
  ...specialNames,
  ...['lines', '$lines\n', '$', '$$', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'toJSON'],
  ...['1', '10', '2', '0', '-1', '4294967294', '4294967295', 'a', 'b', '', 'é', '\ud800', '\n', 'z'.repeat(90)],
  ...['since', 'drop', 'order', 'messages', 'type', 'sum', 'seal', 'payload', '\uffff', '\u{1f600}', '\ue000'],
)

/** Object.fromEntries defines members, so that one named __proto__ is a member like the others. */
const members = (names: fc.Arbitrary<string>, value: fc.Arbitrary<JsonValue>, maxLength: number) =>
  fc.array(fc.tuple(names, value), { maxLength }).map((entries): JsonObject => Object.fromEntries(entries))

/** Any JSON value, with a bias to what the v3 format writes in a way of its own. */
const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number,
    fc.constantFrom<JsonValue>(true, false, null),
    fc.array(number, { maxLength: 40 }),
    fc.array(tie('value'), { maxLength: 4 }),
    members(name, tie('value'), 5),
    fc.tuple(fc.constantFrom(...specialNames), tie('value')).map(([key, value]): JsonObject => ({ [key]: value })),
    fc.array(text, { minLength: 1, maxLength: 3 }).map((lines): JsonObject => ({ $lines: lines })),
  ),
})).value

type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T

interface Agent {
  messages: JsonValue[]
  payload: JsonObject
}

/** A chained v2 trace: several agents, histories that grow, shrink and change, forks, odd payloads and odd orders. */
export const traceArbitrary: fc.Arbitrary<Trace> = fc.gen().map((gen) => {
  const draw: Draw = (arbitrary) => gen(() => arbitrary)
  return drawTrace(draw)
})

function drawTrace(draw: Draw): Trace {
  const id = draw(fc.constantFrom('run', 'r:1', '', 'é\n', '\u200b'))
  const createdAt = draw(fc.constantFrom(0, 1764460800000, 1000, -5))
  const agents = Array.from({ length: draw(fc.integer({ min: 1, max: 3 })) }, () => drawAgent(draw))
  const foreign = draw(fc.constantFrom(0, 0, 4))
  const steps: TraceStep[] = []
  let timestamp = createdAt
  const push = (type: TraceStepType, payload: JsonValue): void => {
    const index = steps.length
    timestamp += draw(fc.integer({ min: -2000, max: 2000 }))
    const stepId =
      index < foreign ? `parent:${index}` : draw(fc.constantFrom(...Array(20).fill(`${id}:${index}`), '', 'odd\n'))
    // As if read from a file: parts that are equal are not the same object.
    steps.push({ id: stepId, index, type, timestamp, payload: structuredClone(payload), prevHash: null, hash: '' })
  }
  for (let turn = 0; turn < draw(fc.integer({ min: 0, max: 10 })); turn++)
    drawTurn(draw, draw(fc.constantFrom(...agents)), turn, push)
  if (draw(fc.boolean())) push('metadata', { event: 'run_completed', status: 'success', result: draw(text) })
  chain(steps)
  return {
    version: 2,
    id,
    createdAt,
    steps,
    ...(draw(fc.boolean()) ? { parentId: draw(text) } : {}),
    ...(draw(fc.boolean()) ? { forkedFromStepId: 'parent:3' } : {}),
  }
}

function chain(steps: TraceStep[]): void {
  let previous: string | null = null
  for (const step of steps) {
    step.prevHash = previous
    step.hash = stepHash(step)
    previous = step.hash
  }
}

const drawAgent = (draw: Draw): Agent => ({
  messages: [drawMessage(draw, 0)],
  payload: {
    tools: draw(fc.array(json, { maxLength: 2 })),
    systemPrompt: draw(text),
    model: draw(fc.constantFrom('m1', 'm2')),
    params: draw(json),
  },
})

function drawMessage(draw: Draw, turn: number): JsonValue {
  const toolCallId = `call-${turn}`
  const part = fc.oneof(
    text.map((text): JsonValue => ({ type: 'text', text })),
    json.map((toolInput): JsonValue => ({ type: 'tool_use', toolCallId, toolName: 't', toolInput })),
    json.map((result): JsonValue => ({ type: 'tool_result', toolCallId, toolName: 't', result })),
    fc.constantFrom<JsonValue>({ $call: toolCallId }, { $$result: 'call-0' }, 7, null),
  )
  const role = fc.constantFrom('user', 'assistant')
  return draw(
    fc.oneof(
      { weight: 5, arbitrary: fc.record({ role, content: text }) as fc.Arbitrary<JsonValue> },
      {
        weight: 5,
        arbitrary: fc.record({ role, content: fc.array(part, { maxLength: 3 }) }) as fc.Arbitrary<JsonValue>,
      },
      { weight: 1, arbitrary: fc.record({ content: fc.array(part, { maxLength: 2 }) }) as fc.Arbitrary<JsonValue> },
      {
        weight: 1,
        arbitrary: fc.record({ content: fc.array(part, { maxLength: 2 }), role }) as fc.Arbitrary<JsonValue>,
      },
      { weight: 1, arbitrary: json },
      {
        weight: 1,
        arbitrary: fc.constantFrom<JsonValue>({ $keep: [0, 1] }, { $$keep: 2 }, { $call: 'call-0' }, 'a\nb'),
      },
    ),
  )
}

function drawTurn(
  draw: Draw,
  agent: Agent,
  turn: number,
  push: (type: TraceStepType, payload: JsonValue) => void,
): void {
  editHistory(draw, agent, turn)
  push('model_input', drawInput(draw, agent))
  if (draw(fc.integer({ min: 0, max: 9 })) === 0)
    push('metadata', { event: 'model_error', status: 500, kind: 'x', message: draw(text) })
  const call = {
    toolCallId: draw(fc.constantFrom(`call-${turn}`, `call-${turn}`, 'id\nof two lines')),
    toolName: 't',
    toolInput: draw(json),
  }
  const result = shuffled(draw, { toolCallId: call.toolCallId, toolName: 't', result: draw(json) })
  const output: JsonValue = draw(
    fc.oneof(
      text.map((text): JsonValue => ({ type: 'final_answer', text })),
      fc.constant<JsonValue>({ type: 'tool_calls', calls: [call], text: 'now' }),
      fc.constant<JsonValue>({ type: 'tool_call', ...call }),
      fc.constant<JsonValue>(
        shuffled(draw, { type: 'tool_call', ...call, kind: 'custom', inputText: 'x', stop: 'length' }),
      ),
      json,
    ),
  )
  push('model_output', output)
  const isCalled = draw(fc.boolean())
  if (isCalled) {
    push(
      'tool_call',
      draw(fc.constantFrom<JsonValue>(call, call, { $call: call.toolCallId }, { ...call, toolInput: 'else' })),
    )
    push('tool_result', result)
  }
  const replies: JsonValue[] = [
    { role: 'assistant', content: [{ type: 'tool_use', ...call }, { $call: 'x' }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', ...result },
        { type: 'text', text: 'a\nb' },
      ],
    },
  ]
  agent.messages = [...agent.messages, ...(isCalled ? replies : []), drawMessage(draw, turn)]
}

function editHistory(draw: Draw, agent: Agent, turn: number): void {
  const { messages, payload } = agent
  const length = messages.length
  const edits: (() => void)[] = [
    () => {
      agent.messages = messages.slice(0, draw(fc.integer({ min: 0, max: length })))
    },
    () => {
      agent.messages = messages.slice(1)
    },
    () => {
      agent.messages = messages.with(draw(fc.integer({ min: 0, max: length - 1 })), drawMessage(draw, turn))
    },
    () => {
      agent.messages = [...messages, ...messages]
    },
    () => {
      agent.messages = [drawMessage(draw, turn), ...messages]
    },
    () => {
      agent.payload = { ...payload, systemPrompt: draw(text) }
    },
    () => {
      agent.payload = { ...payload, tools: draw(fc.array(json, { maxLength: 2 })) }
    },
    () => {
      agent.payload = { ...payload, params: draw(json) }
    },
  ]
  const at = draw(fc.integer({ min: 0, max: 20 }))
  if (length > 0 || at > 2) edits[at]?.()
}

function drawInput(draw: Draw, { messages, payload }: Agent): JsonValue {
  const odd: JsonValue[] = [
    null,
    [],
    'x\ny',
    {},
    { tools: [] },
    { messages: 'no' },
    { $lines: ['a'] },
    { $lines: 3 },
    { $keep: 1 },
  ]
  if (draw(fc.integer({ min: 0, max: 25 })) === 0) return draw(fc.constantFrom(...odd))
  const kept = Object.entries(payload).filter(() => draw(fc.integer({ min: 0, max: 8 })) > 0)
  const more = draw(
    fc.oneof({ weight: 6, arbitrary: fc.constant<JsonObject>({}) }, { weight: 1, arbitrary: members(name, json, 2) }),
  )
  const whole = Object.fromEntries([
    ['messages', messages],
    ...kept,
    ...Object.entries(more).filter(([key]) => key !== 'messages'),
  ])
  return draw(fc.integer({ min: 0, max: 5 })) === 0 ? shuffled(draw, whole) : whole
}

const shuffled = (draw: Draw, value: JsonObject): JsonObject =>
  Object.fromEntries(draw(fc.shuffledSubarray(Object.entries(value), { minLength: Object.keys(value).length })))
