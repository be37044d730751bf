import { createHash } from 'node:crypto'
import type { JsonObject, Message } from '@retake/trace'
import { expect, test } from 'vitest'
import { readRequest } from './read-request.ts'
import { hasKey, isStreaming } from './route.ts'

const at = (body: JsonObject, url = 'http://127.0.0.1:11434/api/chat') => ({ url, headers: {}, body })
const read = (members: JsonObject) => readRequest(at({ model: 'qwen3:8b', messages: [], ...members }))
const messagesOf = (...messages: JsonObject[]) => read({ messages }).messages
const called = (...calls: JsonObject[]): JsonObject => ({ role: 'assistant', content: '', tool_calls: calls })
const call = (name: string, n: number, id?: string): JsonObject => ({
  ...(id && { id }),
  function: { name, arguments: { n } },
})

test('a request streams unless it says that it does not', () => {
  expect([{}, { stream: true }, { stream: false }].map((body) => isStreaming(at(body)))).toEqual([true, true, false])
})

test('only the cloud wants a key', () => {
  const key = (url: string, headers = {}) => hasKey({ url, headers, body: {} })
  expect(key('http://gpu-box:11434/api/chat')).toBe(true)
  expect(key('https://ollama.com/api/chat')).toBe(false)
  expect(key('https://ollama.com/api/chat', { authorization: 'Bearer k' })).toBe(true)
})

test('options stand among the parameters, and the ones nobody knows are kept', () => {
  const { params } = read({
    format: { $schema: 'x', type: 'object' },
    think: 'high',
    truncate: false,
    options: { num_predict: 9, top_k: 40, num_ctx: 4096, mirostat_tau: 1, tempo: 3 },
  })
  expect(params).toEqual({
    maxTokens: 9,
    topK: 40,
    numCtx: 4096,
    mirostatTau: 1,
    responseFormat: { type: 'object' },
    thinking: 'high',
    truncate: false,
    other: { 'options.tempo': 3 },
  })
})

test('leading system messages are the system prompt, later ones stay', () => {
  const system = (content: string) => ({ role: 'system', content })
  expect(
    read({ messages: [system('One.'), system('Two.'), { role: 'user', content: 'Hi' }, system('Three.')] }),
  ).toEqual({
    model: 'qwen3:8b',
    systemPrompt: 'One.\n\nTwo.',
    tools: [],
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Three.' },
    ],
  })
})

test('an image counts by its bytes', () => {
  const bytes = Buffer.from('an image')
  expect(messagesOf({ role: 'user', content: 'What?', images: [bytes.toString('base64')] })).toEqual([
    {
      role: 'user',
      content: [
        { type: 'media', mediaType: 'image/*', sha256: createHash('sha256').update(bytes).digest('hex'), bytes: 8 },
        { type: 'text', text: 'What?' },
      ],
    },
  ])
})

test.each<[string, JsonObject[], JsonObject[]]>([
  [
    'by the id of their call',
    [call('lookup', 1, 'a'), call('lookup', 2, 'b')],
    [
      { tool_call_id: 'b', content: '2' },
      { tool_call_id: 'a', content: '1' },
    ],
  ],
  [
    'by the name of their tool',
    [call('ask', 1, 'a'), call('lookup', 2, 'b')],
    [
      { tool_name: 'lookup', content: '2' },
      { tool_name: 'ask', content: '1' },
    ],
  ],
  ['by their order', [call('ask', 1, 'a'), call('lookup', 2, 'b')], [{ content: '1' }, { content: '2' }]],
])('results belong to calls %s', (_, calls, results) => {
  const [asked, answered] = messagesOf(called(...calls), ...results.map((result) => ({ role: 'tool', ...result })))
  const partsOf = (message: Message | undefined) => (Array.isArray(message?.content) ? message.content : [])
  const inputs = new Map(
    partsOf(asked).flatMap((part) => (part.type === 'tool_use' ? [[part.toolCallId, part.toolInput]] : [])),
  )
  const answers = partsOf(answered).flatMap((part) =>
    part.type === 'tool_result' && 'result' in part ? [[inputs.get(part.toolCallId), part.result]] : [],
  )
  expect(new Map(answers.map(([input, result]) => [JSON.stringify(input), result]))).toEqual(
    new Map([
      ['{"n":1}', '1'],
      ['{"n":2}', '2'],
    ]),
  )
})

test('the name of a result is compared where it says something else than its call', () => {
  const history = (tool_name: string) => [called(call('lookup', 1)), { role: 'tool', tool_name, content: 'late' }]
  expect(read({ messages: history('lookup') }).params).toBeUndefined()
  expect(read({ messages: history('refund') }).params?.other).toEqual({ 'messages[1].tool_name': 'refund' })
})

test('thinking of an earlier reply is not compared, strange members are', () => {
  const answer = { role: 'assistant', content: 'Late.' }
  expect(messagesOf({ ...answer, thinking: 'Hm.' })).toEqual(messagesOf(answer))
  expect(
    read({ messages: [{ ...answer, mood: 'good', tool_calls: [7, { type: 'function', extra: 1, function: {} }] }] })
      .params?.other,
  ).toEqual({ 'messages[0].mood': 'good', 'messages[0].tool_calls[0]': 7, 'messages[0].tool_calls[1].extra': 1 })
})

test('tools are read as functions, and any other kind is kept', () => {
  const { tools, params } = read({
    tools: [
      { type: 'function', function: { name: 'a', description: 'A.', parameters: { type: 'object' } }, items: {} },
      { function: { name: 'b' } },
      { type: 'retrieval' },
    ],
  })
  expect(tools).toEqual([
    { name: 'a', description: 'A.', inputSchema: { type: 'object' }, options: { items: {} } },
    { name: 'b', description: '' },
  ])
  expect(params?.other).toEqual({ 'tools[2]': { type: 'retrieval' } })
})
