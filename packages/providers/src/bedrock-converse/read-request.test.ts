import { createHash } from 'node:crypto'
import type { JsonObject } from '@retake/trace'
import { UnsupportedError } from '@retake/trace'
import { expect, test } from 'vitest'
import { hasAwsKey } from '../keys.ts'
import { readRequest } from './read-request.ts'
import { matchesBody } from './route.ts'

const at = (body: JsonObject, model = 'eu.amazon.nova-lite-v1%3A0') =>
  readRequest({ url: `https://bedrock-runtime.eu-west-1.amazonaws.com/model/${model}/converse`, headers: {}, body })
const messagesOf = (...content: JsonObject[]) => at({ messages: [{ role: 'user', content }] }).messages
const otherOf = (...content: JsonObject[]) => at({ messages: [{ role: 'user', content }] }).params?.other
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['eu.amazon.nova-lite-v1%3A0', 'eu.amazon.nova-lite-v1:0'],
  ['arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fx', 'arn:aws:bedrock:us-east-1:1:inference-profile/x'],
])('the path names the model %s', (given, model) => {
  expect(at({ messages: [] }, given).model).toBe(model)
})

test('a body has messages, or the variables of a prompt', () => {
  for (const body of [{ messages: [] }, { promptVariables: { city: { text: 'Paris' } } }])
    expect(matchesBody(body)).toBe(true)
  for (const body of [{}, { messages: {} }, [], 'x']) expect(matchesBody(body)).toBe(false)
})

test('a signature names its key', () => {
  const has = (authorization: string) => hasAwsKey({ authorization })
  expect(has('AWS4-HMAC-SHA256 Credential=AKID/20261130/us-east-1/bedrock/aws4_request, SignedHeaders=host')).toBe(true)
  expect(has('AWS4-HMAC-SHA256 Credential=/20261130/us-east-1')).toBe(false)
  expect(has('AWS4-HMAC-SHA256 Credential=undefined/20261130')).toBe(false)
})

test('settings become parameters, and the ones nobody knows are kept', () => {
  const { params, systemPrompt } = at({
    messages: [],
    system: [{ text: 'One.' }, { cachePoint: { type: 'default' } }, { text: 'Two.' }],
    inferenceConfig: { maxTokens: 9, topP: 0.5, stopSequences: ['|'], novel: 1 },
    toolConfig: { toolChoice: { tool: { name: 'a' } } },
    outputConfig: { effort: 'high' },
    additionalModelRequestFields: { top_k: 40 },
    guardrailConfig: { guardrailIdentifier: 'g' },
  })
  expect(systemPrompt).toBe('One.\n\nTwo.')
  expect(params).toEqual({
    maxTokens: 9,
    topP: 0.5,
    stop: ['|'],
    toolChoice: { tool: { name: 'a' } },
    reasoningEffort: 'high',
    guardrails: { guardrailIdentifier: 'g' },
    modelFields: { top_k: 40 },
    other: { 'inferenceConfig.novel': 1 },
  })
})

test('a schema that is a text is compared by what it says', () => {
  const asked = (schema: string) =>
    at({ messages: [], outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema: { schema } } } } })
  expect(asked('{"type": "object", "$schema": "x"}')).toEqual(asked('{"type":"object"}'))
  expect(asked('{"type": "object"')).not.toEqual(asked('{"type":"object"}'))
})

test.each<[string, JsonObject, JsonObject]>([
  [
    'an image by its bytes',
    { image: { format: 'png', source: { bytes: base64('pixels') } } },
    { mediaType: 'image/png', sha256: digest('pixels'), bytes: 6 },
  ],
  [
    'a document by its text',
    { document: { format: 'txt', name: 'note', source: { text: 'Hi' }, citations: { enabled: false } } },
    { mediaType: 'text/plain', sha256: digest('Hi'), bytes: 2, options: { name: 'note' } },
  ],
  [
    'a document in pieces',
    { document: { name: 'note', source: { content: [{ text: 'Hi' }] }, citations: { enabled: true } } },
    {
      mediaType: 'application/json',
      sha256: digest('[{"text":"Hi"}]'),
      bytes: 15,
      options: { name: 'note', citations: { enabled: true } },
    },
  ],
  [
    'a video in a bucket',
    { video: { format: 'mp4', source: { s3Location: { uri: 's3://b/v.mp4', bucketOwner: '1' } } } },
    { mediaType: 'video/mp4', ref: 's3://b/v.mp4', options: { bucketOwner: '1' } },
  ],
  [
    'a search result',
    { searchResult: { source: 'https://a.io', title: 'A', content: [{ text: 'One.' }, { text: 'Two.' }] } },
    {
      mediaType: 'text/plain',
      sha256: digest('One.\n\nTwo.'),
      bytes: 10,
      options: { source: 'https://a.io', title: 'A' },
    },
  ],
])('%s is media', (_, block, part) => {
  expect(messagesOf(block)).toEqual([{ role: 'user', content: [{ type: 'media', ...part }] }])
  expect(otherOf(block)).toBeUndefined()
})

test('blocks and sources that nobody knows are kept whole', () => {
  const blocks: JsonObject[] = [
    { guardContent: { text: { text: 'Hi', qualifiers: ['query'] } } },
    { image: { format: 'png', source: { bytes: 7 } } },
    { image: { format: 'png', source: { bytes: '', url: 'x' } } },
    { toolAddition: { tool: { name: 'a' } } },
  ]
  for (const block of blocks) expect(otherOf(block)).toEqual({ 'messages[0].content[0]': block })
})

test('results are texts, one JSON value, or parts', () => {
  const call = { toolUse: { toolUseId: 't1', name: 'lookup', input: { n: 1 }, type: 'tool_use' } }
  const read = (result: JsonObject) => {
    const { messages, params } = at({
      messages: [
        { role: 'assistant', content: [call] },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', ...result } }] },
      ],
    })
    const [part] = [messages[1]?.content ?? []].flat()
    return [part, params?.other]
  }
  const named = { type: 'tool_result', toolCallId: 't1', toolName: 'lookup' }
  expect(read({ content: [{ text: 'a' }, { text: 'b' }], status: 'success' })).toEqual([
    { ...named, result: 'a\n\nb' },
    undefined,
  ])
  expect(read({ content: [{ json: { late: true } }] })).toEqual([{ ...named, result: { late: true } }, undefined])
  expect(read({ content: [{ text: 'no' }], status: 'error' })).toEqual([{ ...named, error: 'no' }, undefined])
  expect(read({ content: [{ text: 'a' }, { json: 1 }] })[0]).toMatchObject({
    result: [{ type: 'text' }, { type: 'media', mediaType: 'application/json' }],
  })
  expect(read({ content: [], status: 'late' })[1]).toEqual({ 'messages[1].content[0].toolResult.status': 'late' })
})

test.each<[string, JsonObject]>([
  [
    'toolConfig.tools[0].systemTool',
    { toolConfig: { tools: [{ systemTool: { name: 'nova_grounding' } }] }, messages: [] },
  ],
  [
    'messages[0].content[0].toolUse.type server_tool_use',
    { messages: [{ role: 'assistant', content: [{ toolUse: { name: 'x', type: 'server_tool_use' } }] }] },
  ],
])('%s is refused', (field, body) => {
  expect(() => at(body)).toThrow(UnsupportedError)
  expect(() => at(body)).toThrow(
    expect.objectContaining({ details: { name: 'hosted/server tools and their blocks', field } }),
  )
})
