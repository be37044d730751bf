import type { Message, ModelInput, ToolDefinition } from '@retake/trace'
import { expect, test } from 'vitest'
import { compareRequests } from './compare-requests.ts'

const tool = (name: string, properties: object = {}, description = ''): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: 'object', properties } as never,
})

/** A conversation with a tool round and an answer a turn: 4 messages each. */
const conversation = (rounds: number): Message[] =>
  Array.from({ length: rounds }, (_, round): Message[] => [
    { role: 'user', content: `Where is A-${round}?` },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', toolCallId: `id-${round}`, toolName: 'lookup', toolInput: { orderId: `A-${round}` } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolCallId: `id-${round}`, toolName: 'lookup', result: `late: ${round} days` }],
    },
    { role: 'assistant', content: `It is ${round} days late.` },
  ]).flat()

const request = (messages: Message[], rest: Partial<ModelInput> = {}): ModelInput => ({
  model: 'gpt-5',
  systemPrompt: 'You are the refund agent.',
  tools: [tool('lookup', { orderId: { type: 'string' } })],
  params: { temperature: 0 },
  messages,
  ...rest,
})

const forty = conversation(10)
const polite: Message = { role: 'user', content: 'Remember to be polite.' }

test('a changed string is one difference at the string', () => {
  expect(compareRequests(request([polite]), request([{ ...polite, content: 'Be rude.' }]))).toEqual([
    { path: 'messages[0].content', kind: 'changed', before: 'Remember to be polite.', after: 'Be rude.' },
  ])
})

test('all members are compared, and every difference is listed', () => {
  const before = request([polite], { params: { temperature: 0, topP: 1, other: { 'a.b': 1 } } })
  const after = request([polite], {
    model: 'gpt-6',
    systemPrompt: 'You are the agent.',
    params: { temperature: 1, seed: 7, other: { 'a.b': 2 } },
  })
  expect(compareRequests(before, after)).toEqual([
    { path: 'model', kind: 'changed', before: 'gpt-5', after: 'gpt-6' },
    { path: 'systemPrompt', kind: 'changed', before: 'You are the refund agent.', after: 'You are the agent.' },
    { path: 'params.temperature', kind: 'changed', before: 0, after: 1 },
    { path: 'params.topP', kind: 'removed', before: 1 },
    { path: 'params.other["a.b"]', kind: 'changed', before: 1, after: 2 },
    { path: 'params.seed', kind: 'added', after: 7 },
  ])
})

test('controls that only one request has are listed one by one', () => {
  const { params: _, ...bare } = request([])
  expect(compareRequests(bare, request([]))).toEqual([{ path: 'params.temperature', kind: 'added', after: 0 }])
})

test('a schema is compared down to the keyword', () => {
  const before = request([], { tools: [tool('send'), tool('lookup', { orderId: { type: 'string' } })] })
  const after = request([], { tools: [tool('lookup', { orderId: { type: 'integer' } }), tool('send')] })
  expect(compareRequests(before, after)).toEqual([
    { path: 'tools[0].inputSchema.properties.orderId.type', kind: 'changed', before: 'string', after: 'integer' },
  ])
})

test('tools are found by name: one added and one removed are two differences', () => {
  const before = request([], { tools: [tool('a'), tool('b'), tool('c')] })
  const after = request([], { tools: [tool('c'), tool('d'), tool('a')] })
  expect(compareRequests(before, after)).toEqual([
    { path: 'tools[1]', kind: 'added', after: tool('d') },
    { path: 'tools[1]', kind: 'removed', before: tool('b') },
  ])
})

test.each([
  ['appended', 40],
  ['put in front', 0],
  ['inserted before an assistant turn', 21],
  ['inserted after a tool result', 23],
  ['inserted between two turns', 20],
])('a message %s is one difference in 40', (_, at) => {
  const longer = forty.toSpliced(at, 0, polite)
  expect(compareRequests(request(forty), request(longer))).toEqual([
    { path: `messages[${at}]`, kind: 'added', after: polite },
  ])
  expect(compareRequests(request(longer), request(forty))).toEqual([
    { path: `messages[${at}]`, kind: 'removed', before: polite },
  ])
})

test('each message left out of 40 is one difference at its place', () => {
  for (const [at, message] of forty.entries()) {
    const differences = compareRequests(request(forty), request(forty.toSpliced(at, 1)))
    expect(differences.map(({ path, kind }) => [path, kind])).toEqual([[`messages[${at}]`, 'removed']])
    expect(JSON.stringify(differences[0]?.before)).toContain(message.role)
  }
})

test('a round inserted early does not disturb the calls after it', () => {
  const round = conversation(12).slice(-4)
  expect(compareRequests(request(forty), request([...round, ...forty])).map(({ path, kind }) => [path, kind])).toEqual([
    ['messages[0]', 'added'],
    ['messages[1]', 'added'],
    ['messages[2]', 'added'],
    ['messages[3]', 'added'],
  ])
})

test('a changed message keeps its place beside an inserted one', () => {
  const changed: Message = { role: 'user', content: 'Where is A-5 now?' }
  const received = forty.toSpliced(20, 1, polite, changed)
  expect(compareRequests(request(forty), request(received))).toEqual([
    { path: 'messages[20]', kind: 'added', after: polite },
    { path: 'messages[21].content', kind: 'changed', before: 'Where is A-5?', after: 'Where is A-5 now?' },
  ])
})

test('a changed tool argument and a changed result are found at their deepest path', () => {
  const received = structuredClone(forty)
  Object.assign(received[5]?.content[0] ?? {}, { toolInput: { orderId: 'A-1', express: true } })
  Object.assign(received[10]?.content[0] ?? {}, { result: 'on time' })
  expect(compareRequests(request(forty), request(received))).toEqual([
    { path: 'messages[5].content[0].toolInput.express', kind: 'added', after: true },
    { path: 'messages[10].content[0].result', kind: 'changed', before: 'late: 2 days', after: 'on time' },
  ])
})

test('a call given to another tool is a change of its name', () => {
  const received = structuredClone(forty)
  Object.assign(received[1]?.content[0] ?? {}, { toolName: 'find' })
  expect(compareRequests(request(forty), request(received))).toEqual([
    { path: 'messages[1].content[0].toolName', kind: 'changed', before: 'lookup', after: 'find' },
  ])
})

test('results that answer one another’s calls are found', () => {
  const asked: Message = {
    role: 'assistant',
    content: [
      { type: 'tool_use', toolCallId: 'a', toolName: 'lookup', toolInput: 1 },
      { type: 'tool_use', toolCallId: 'b', toolName: 'lookup', toolInput: 2 },
    ],
  }
  const answered = (...ids: string[]): Message => ({
    role: 'user',
    content: ids.map((toolCallId, nth) => ({ type: 'tool_result', toolCallId, toolName: 'lookup', result: nth })),
  })
  expect(compareRequests(request([asked, answered('a', 'b')]), request([asked, answered('b', 'a')]))).toEqual([
    { path: 'messages[1].content[0].toolCallId', kind: 'changed', before: 'call-0', after: 'call-1' },
    { path: 'messages[1].content[1].toolCallId', kind: 'changed', before: 'call-1', after: 'call-0' },
  ])
})

test('a part more in a message is one difference', () => {
  const media = { type: 'media', mediaType: 'image/png', ref: 'https://example.com/a.png' } as const
  const received = forty.toSpliced(8, 1, { role: 'user', content: [{ type: 'text', text: 'Where is A-2?' }, media] })
  expect(compareRequests(request(forty), request(received))).toEqual([
    { path: 'messages[8].content[1]', kind: 'added', after: media },
  ])
})

test('indexes count in the request as it was sent, also where neighbours form one turn', () => {
  const messages: Message[] = [
    { role: 'user', content: 'Context.' },
    { role: 'user', content: 'Question?' },
  ]
  const other = messages.toSpliced(1, 1, { role: 'user', content: 'Another question?' })
  expect(compareRequests(request(messages), request(other))).toEqual([
    { path: 'messages[1].content', kind: 'changed', before: 'Question?', after: 'Another question?' },
  ])
  expect(compareRequests(request(messages), request([{ role: 'user', content: 'Context.\n\nQuestion?' }]))).toEqual([])
})

test('a role is never changed into another', () => {
  expect(
    compareRequests(request([polite]), request([{ role: 'system', content: polite.content }])).map(({ kind }) => kind),
  ).toEqual(['removed', 'added'])
})

test('ignored paths are left out on both sides', () => {
  const received = request([{ ...polite, content: 'Other.' }], {
    params: { temperature: 1 },
    tools: [tool('lookup', { orderId: { type: 'string' } }, 'Looks up.')],
  })
  const ignore = ['messages[0].content', 'params.temperature', 'tools[*].description']
  expect(compareRequests(request([polite]), received, { ignore })).toEqual([])
  expect(compareRequests(request([polite]), received, { ignore: ignore.slice(1) }).map(({ path }) => path)).toEqual([
    'messages[0].content',
  ])
})

test('a pattern may reach into the arguments of a call and name keys that are no identifiers', () => {
  const asked = (at: string): Message => ({
    role: 'assistant',
    content: [{ type: 'tool_use', toolCallId: 'a', toolName: 'log', toolInput: { 'x-at': at, text: 'hi' } }],
  })
  const ignore = ['messages[*].content[*].toolInput["x-at"]']
  expect(compareRequests(request([asked('1')]), request([asked('2')]), { ignore })).toEqual([])
  expect(compareRequests(request([asked('1')]), request([asked('2')]))).toHaveLength(1)
})

test.each(['messages[', 'messages[0]content', 'params..b', '.params', '["a]', 'a b'])(
  '%j is refused as an ignored path',
  (path) => {
    expect(() => compareRequests(request([]), request([]), { ignore: [path] })).toThrow('is no request path')
  },
)

// `system` is what failures call it; in a request it is `systemPrompt`.
test.each(['system', 'mesages[0].content', '[0].content', 'temperature'])(
  '%j is refused as an ignored path, since it would ignore nothing',
  (path) => {
    expect(() => compareRequests(request([]), request([]), { ignore: [path] })).toThrow(
      `"${path}" names nothing that is there; a path begins with model, systemPrompt, messages, tools or params`,
    )
  },
)
