import type { Reply } from '@retake/providers'
import type { ModelInput } from '@retake/trace'
import { expect, test } from 'vitest'
import type { RedactRule } from './redact-rules.ts'
import { createRedaction, type Redaction } from './redaction.ts'

const redaction = (...rules: RedactRule[]) => createRedaction(rules) as Redaction

const call = {
  type: 'tool_use' as const,
  toolCallId: 'call-0',
  toolName: 'charge',
  toolInput: { card: '4111 1111', amount: 20 },
}
const result = {
  type: 'tool_result' as const,
  toolCallId: 'call-0',
  toolName: 'charge',
  result: '{ "token": "t-1", "to": "x" }',
}
const picture = {
  type: 'media' as const,
  mediaType: 'image/png',
  ref: 'https://acme.dev/ann@acme.dev.png',
  options: { alt: 'ann@acme.dev' },
}
const input: ModelInput = {
  messages: [
    { role: 'user', name: 'ann@acme.dev', content: 'Mail ann@acme.dev or bob@acme.dev.' },
    { role: 'assistant', content: [{ type: 'text', text: 'Charging ann@acme.dev.' }, call] },
    { role: 'user', content: [result, picture] },
  ],
  tools: [{ name: 'charge', description: 'Asks ann@acme.dev.', inputSchema: { default: 'ann@acme.dev' } }],
  systemPrompt: 'You work for ann@acme.dev.',
  model: 'gpt-5',
  params: { temperature: 0.2, other: { 'ann@acme.dev': ['ann@acme.dev', 7] } },
}

test('a pattern takes every match out of every text, member names included', () => {
  const changed = redaction(/\w+@acme\.dev/).request(input)
  expect(JSON.stringify(changed)).not.toContain('acme.dev,')
  expect(JSON.stringify(changed)).not.toMatch(/\w@acme/)
  expect(changed.messages[0]).toEqual({ role: 'user', name: '[redacted]', content: 'Mail [redacted] or [redacted].' })
  expect(changed.params).toEqual({ temperature: 0.2, other: { '[redacted]': ['[redacted]', 7] } })
  expect(changed.tools).toEqual([
    { name: 'charge', description: 'Asks [redacted].', inputSchema: { default: '[redacted]' } },
  ])
})

test('nothing is changed in place, and nothing without a match', () => {
  const before = structuredClone(input)
  redaction(/\w+/).request(input)
  expect(input).toEqual(before)
  expect(redaction(/no match/).request(input)).toEqual(before)
})

test('what holds a run together stays under a pattern that matches everything', () => {
  const changed = redaction(/.+/s).request(input)
  expect(changed.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(changed.messages[1]?.content).toMatchObject([
    { type: 'text', text: '[redacted]' },
    { type: 'tool_use', toolCallId: 'call-0', toolName: 'charge', toolInput: { '[redacted]': '[redacted]' } },
  ])
  expect(changed.tools[0]?.name).toBe('charge')
})

test('names that become the same stay members of their own', () => {
  expect(redaction(/\d+/).toolInput({ 1: 'a', 2: 'b', 3: 'c' })).toEqual({
    '[redacted]': 'a',
    '[redacted] 2': 'b',
    '[redacted] 3': 'c',
  })
})

test.each<[string, (input: ModelInput) => unknown, unknown]>([
  ['messages[0].content', ({ messages }) => messages[0]?.content, '[redacted]'],
  [
    'messages[*].content',
    ({ messages }) => messages[2]?.content,
    [
      { ...result, result: '[redacted]' },
      { ...picture, ref: '[redacted]', options: { alt: '[redacted]' } },
    ],
  ],
  ['params.temperature', ({ params }) => params?.temperature, '[redacted]'],
  [
    'params.other["ann@acme.dev"][1]',
    ({ params }) => params?.other,
    { 'ann@acme.dev': ['ann@acme.dev', '[redacted]'] },
  ],
  ['tools[*].description', ({ tools }) => tools[0]?.description, '[redacted]'],
  ['systemPrompt', ({ systemPrompt }) => systemPrompt, '[redacted]'],
])('the path %s hides its place', (path, read, expected) => {
  expect(read(redaction(path).request(input))).toEqual(expected)
})

test('a path into a tool call hides it wherever the call stands', () => {
  const rules = redaction('toolInput.card')
  const hidden = { card: '[redacted]', amount: 20 }
  expect(rules.toolInput(call.toolInput)).toEqual(hidden)
  expect(rules.request(input).messages[1]?.content).toMatchObject([{}, { toolInput: hidden }])
  expect(rules.reply({ turn: { parts: [call], stop: 'tools' }, extras: {} }).turn.parts).toMatchObject([
    { toolInput: hidden },
  ])
})

test('a path into a tool result hides it as a value and in the JSON text that goes to the model', () => {
  const rules = redaction('result.token')
  expect(rules.result({ result: { token: 't-1', to: 'x' } })).toEqual({ result: { token: '[redacted]', to: 'x' } })
  expect(rules.request(input).messages[2]?.content).toMatchObject([{ result: '{"token":"[redacted]","to":"x"}' }, {}])
  expect(redaction('result.other').request(input)).toEqual(input)
})

test('a path that names a whole value keeps its shape', () => {
  expect(redaction('toolInput').toolInput({ a: [1, 'x', null, { b: true }] })).toEqual({
    a: ['[redacted]', '[redacted]', null, { b: '[redacted]' }],
  })
  expect(redaction('messages[1]').request(input).messages[1]).toMatchObject({
    role: 'assistant',
    content: [
      { type: 'text', text: '[redacted]' },
      { toolName: 'charge', toolInput: { card: '[redacted]' } },
    ],
  })
})

test('a function gets each text with its place', () => {
  const places: string[] = []
  const rules = redaction((text, where) => {
    places.push(where)
    return text.replaceAll('ann', 'somebody')
  })
  expect(rules.request(input).systemPrompt).toBe('You work for somebody@acme.dev.')
  expect(new Set(places)).toEqual(
    new Set([
      'messages[0].name',
      'messages[0].content',
      'messages[1].content[0].text',
      'messages[1].content[1].toolInput.card',
      'messages[2].content[0].result',
      'messages[2].content[1].ref',
      'messages[2].content[1].options.alt',
      'tools[0].description',
      'tools[0].inputSchema.default',
      'systemPrompt',
      'model',
      'params.other["ann@acme.dev"][0]',
    ]),
  )
})

test('the argument text of a call hides what its value hides', () => {
  const reply = (part: object): Reply => ({ turn: { parts: [{ ...call, ...part }], stop: 'tools' }, extras: {} })
  const partOf = (rules: Redaction, part: object) => rules.reply(reply(part)).turn.parts[0]
  const twice = { toolInput: { card: 'new' }, inputText: '{"card": "4111", "card": "new"}' }
  expect(partOf(redaction(/4111/), twice)).toEqual({ ...call, toolInput: { card: 'new' } })
  expect(partOf(redaction('toolInput.card'), twice)).toEqual({ ...call, toolInput: { card: '[redacted]' } })
  expect(partOf(redaction(/5555/), twice)).toEqual({ ...call, ...twice })
  const cut = { toolInput: '{"card": "41', inputText: '{"card": "41' }
  expect(partOf(redaction(/41/), cut)).toEqual({
    ...call,
    toolInput: '{"card": "[redacted]',
    inputText: '{"card": "[redacted]',
  })
})

test('beside a reply, blobs are changed too and lengths of pieces that no longer fit go', () => {
  const reply: Reply = {
    turn: {
      parts: [
        { type: 'reasoning', text: 'ann' },
        { type: 'text', text: 'bob' },
      ],
      stop: 'end',
    },
    extras: { chunks: [3, 3], opaque: [{ part: 0, kind: 'x', value: [{ text: 'ann' }] }], servedModel: 'm' },
  }
  expect(redaction(/ann/).reply(reply)).toEqual({
    turn: {
      parts: [
        { type: 'reasoning', text: '[redacted]' },
        { type: 'text', text: 'bob' },
      ],
      stop: 'end',
    },
    extras: { opaque: [{ part: 0, kind: 'x', value: [{ text: '[redacted]' }] }], servedModel: 'm' },
  })
  expect(redaction(/carl/).reply(reply)).toEqual(reply)
})

test('errors of a provider and of a tool are changed', () => {
  expect(
    redaction(/ann/).error({
      status: 400,
      kind: 'invalid_request',
      message: 'no ann',
      error: { error: { who: 'ann' } },
      parts: [{ type: 'text', text: 'ann' }],
      chunks: [3],
    }),
  ).toEqual({
    status: 400,
    kind: 'invalid_request',
    message: 'no [redacted]',
    error: { error: { who: '[redacted]' } },
    parts: [{ type: 'text', text: '[redacted]' }],
  })
  expect(redaction(/ann/).result({ error: 'no ann', errorName: 'NotFound' })).toEqual({
    error: 'no [redacted]',
    errorName: 'NotFound',
  })
})

test.each<[string, unknown, string]>([
  ['a number', 7, 'redact[0] must be a regular expression, a path or a function'],
  ['no path', 'messages[', '"messages[" is no request path'],
])('%s is refused', (_, rule, message) => {
  expect(() => redaction(rule as RedactRule)).toThrow(message)
})

test.each<[string, RedactRule, string]>([
  ['changes its own result', (text) => `${text}!`, 'redact[0] changes its own result for toolInput.a'],
  ['gives no text', () => undefined as never, 'redact[0] gave no text for toolInput.a'],
  [
    'throws',
    () => {
      throw new Error('secret')
    },
    'redact[0] threw for toolInput.a',
  ],
])('a rule that %s is refused when it is used', (_, rule, message) => {
  expect(() => redaction(rule).toolInput({ a: 'text' })).toThrow(
    expect.objectContaining({ code: 'RETAKE_CONFIG', message: expect.stringContaining(message) }),
  )
})

test('a pattern works by its own flags, and hides nothing where it matches nothing', () => {
  expect(redaction(/ANN/gi).toolInput('ann Ann')).toBe('[redacted] [redacted]')
  expect(redaction(/x*/).toolInput('axb')).toBe('a[redacted]b')
  expect(redaction(/ann/y).toolInput('ann ann')).toBe('[redacted] ann')
})
