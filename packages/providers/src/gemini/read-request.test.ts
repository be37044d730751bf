import { createHash } from 'node:crypto'
import type { JsonObject } from '@retake/trace'
import { UnsupportedError } from '@retake/trace'
import { expect, test } from 'vitest'
import { readRequest } from './read-request.ts'
import { isStreaming, matchesBody, streamsJson } from './route.ts'

const base = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro'
const at = (url: string, body: JsonObject = {}) => ({ url, headers: {}, body })
const read = (body: JsonObject, url = `${base}:generateContent`) => readRequest(at(url, body))
const user = (...parts: JsonObject[]): JsonObject => ({ role: 'user', parts })
const model = (...parts: JsonObject[]): JsonObject => ({ role: 'model', parts })
const call = (name: string, args: JsonObject, id?: string): JsonObject => ({
  functionCall: { ...(id && { id }), name, args },
})
const result = (name: string, response: JsonObject, id?: string): JsonObject => ({
  functionResponse: { ...(id && { id }), name, response },
})
const messagesOf = (...contents: JsonObject[]) => read({ contents }).messages
const refusalOf = (body: JsonObject) => {
  try {
    read(body)
  } catch (error) {
    if (error instanceof UnsupportedError) return error.details
    throw error
  }
  return undefined
}

test.each([
  [`${base}:generateContent`, 'gemini-3-pro'],
  ['https://h/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:generateContent', 'gemini-2.5-flash'],
  ['https://h/v1beta/tunedModels/tuned-1:generateContent', 'tunedModels/tuned-1'],
  ['https://h/v1/projects/p/locations/l/endpoints/77:streamGenerateContent', 'endpoints/77'],
])('the path %s names the model %s', (url, name) => {
  expect(read({ contents: [user({ text: 'Hi' })] }, url).model).toBe(name)
})

test('the verb and alt tell a stream, and its kind', () => {
  const kinds = ['generateContent', 'streamGenerateContent', 'streamGenerateContent?alt=sse'].map((verb) => {
    const request = at(`${base}:${verb}`)
    return [isStreaming(request), streamsJson(request)]
  })
  expect(kinds).toEqual([
    [false, false],
    [true, true],
    [true, false],
  ])
  expect(streamsJson(at(`${base}:streamGenerateContent?$alt=json;enum-encoding=int`))).toBe(true)
})

test('a body without contents is ordinary HTTP', () => {
  expect(matchesBody({ contents: [] })).toBe(true)
  for (const body of [{}, { contents: null }, { contents: 7 }, [], 'Hi']) expect(matchesBody(body)).toBe(false)
})

test('both spellings of the protocol read the same', () => {
  const camel = {
    contents: [
      user({ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'AAEC' } }),
      model(call('f', {}, 'c1')),
    ],
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [{ functionDeclarations: [{ name: 'f', description: 'F.', parametersJsonSchema: { type: 'object' } }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    generationConfig: { maxOutputTokens: 9, topP: 0.5, stopSequences: ['END'], thinkingConfig: { thinkingBudget: 0 } },
    safetySettings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE' }],
  }
  const snake = {
    contents: [
      user({ text: 'Hi' }, { inline_data: { mime_type: 'image/png', data: 'AAEC' } }),
      model({ function_call: { id: 'c1', name: 'f', args: {} } }),
    ],
    system_instruction: { parts: [{ text: 'Be brief.' }] },
    tools: [{ function_declarations: [{ name: 'f', description: 'F.', parameters_json_schema: { type: 'object' } }] }],
    tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] } },
    generation_config: {
      max_output_tokens: 9,
      top_p: 0.5,
      stop_sequences: ['END'],
      thinking_config: { thinking_budget: 0 },
    },
    safety_settings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE' }],
  }
  expect(read(snake)).toEqual(read(camel))
  expect(read(camel)).toMatchObject({
    systemPrompt: 'Be brief.',
    tools: [{ name: 'f', description: 'F.', inputSchema: { type: 'object' } }],
    params: {
      maxTokens: 9,
      topP: 0.5,
      stop: ['END'],
      thinking: { thinkingBudget: 0 },
      toolChoice: { mode: 'ANY', allowedFunctionNames: ['f'] },
    },
  })
})

test('names that belong to the user keep their spelling', () => {
  const { tools, messages } = read({
    contents: [model(call('find_it', { order_id: 1 }))],
    tools: [
      {
        functionDeclarations: [
          { name: 'find_it', parameters: { type: 'OBJECT', properties: { order_id: { type: 'STRING' } } } },
        ],
      },
    ],
  })
  expect(messages[0]?.content).toMatchObject([{ toolName: 'find_it', toolInput: { order_id: 1 } }])
  expect(tools[0]?.inputSchema).toEqual({ type: 'object', properties: { order_id: { type: 'string' } } })
})

test('an OpenAPI schema and a JSON Schema of the same shape are equal', () => {
  const openApi = {
    type: 'OBJECT',
    properties: {
      type: { type: 'STRING', enum: ['A'] },
      list: { type: 'ARRAY', minItems: '1', items: { type: 'NUMBER' } },
    },
    required: ['type'],
  }
  const jsonSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['A'] },
      list: { type: 'array', minItems: 1, items: { type: 'number' } },
    },
    required: ['type'],
  }
  const declared = (declaration: JsonObject) =>
    read({ contents: [], tools: [{ functionDeclarations: [{ name: 'f', ...declaration }] }] }).tools
  expect(declared({ parameters: openApi })).toEqual(declared({ parametersJsonSchema: jsonSchema }))
  const asked = (config: JsonObject) => read({ contents: [], generationConfig: config }).params
  expect(asked({ responseSchema: openApi })).toEqual(asked({ responseJsonSchema: jsonSchema }))
  expect(asked({ responseSchema: openApi })).not.toEqual(asked({ responseSchema: { ...openApi, required: [] } }))
})

test('a result belongs to the call with its id, else to the first of its tool', () => {
  const asked = model(call('a', { n: 1 }, 'c1'), call('b', { n: 2 }, 'c2'), call('a', { n: 3 }, 'c3'))
  const told = (...results: JsonObject[]) =>
    messagesOf(asked, ...results.map((one) => user(one)))
      .slice(1)
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .map((part) => part.type === 'tool_result' && part.toolCallId)
  expect(told(result('a', { x: 3 }, 'c3'), result('a', { x: 1 }, 'c1'), result('b', { x: 2 }, 'c2'))).toEqual([
    'c3',
    'c1',
    'c2',
  ])
  expect(told(result('b', { x: 2 }), result('a', { x: 1 }), result('a', { x: 3 }))).toEqual(['c2', 'c1', 'c3'])
})

test('calls without ids have empty ones, and so have their results', () => {
  const [asked, told] = messagesOf(model(call('a', {})), user(result('a', { x: 1 })))
  expect(asked?.content).toEqual([{ type: 'tool_use', toolCallId: '', toolName: 'a', toolInput: {} }])
  expect(told?.content).toEqual([{ type: 'tool_result', toolCallId: '', toolName: 'a', result: { x: 1 } }])
})

test('a result under another name than that of its call is told apart', () => {
  const contents = (name: string) => [model(call('a', {}, 'c1')), user(result(name, { x: 1 }, 'c1'))]
  expect(read({ contents: contents('a') }).params).toBeUndefined()
  expect(read({ contents: contents('b') }).params?.other).toEqual({ 'contents[1].parts[0].functionResponse.name': 'b' })
})

test('output and error of a response are what the function gave', () => {
  const given = (response: JsonObject) => messagesOf(user(result('a', response)))[0]?.content
  expect(given({ output: 'late' })).toMatchObject([{ result: 'late' }])
  expect(given({ error: 'not found' })).toMatchObject([{ error: 'not found' }])
  expect(given({ output: 'late', more: 1 })).toMatchObject([{ result: { output: 'late', more: 1 } }])
})

test('pieces of a streamed reply are one turn with one text, without its thoughts and signatures', () => {
  const whole = messagesOf(model({ text: 'The order' }, call('a', {}), { text: ' is late.' }))
  const pieces = messagesOf(
    model({ text: 'Hm.', thought: true }),
    model({ text: 'The ' }),
    model({ text: 'order', thoughtSignature: 'c2ln' }),
    model({ ...call('a', {}), thoughtSignature: 'c2ln' }),
    model({ text: ' is late.' }, { text: '', thoughtSignature: 'c2ln' }),
  )
  expect(pieces).toEqual(whole)
})

test('media are told by the digest of their bytes, or by their address', () => {
  const sha256 = createHash('sha256')
    .update(Buffer.from([0, 1, 2]))
    .digest('hex')
  const [message] = messagesOf(
    user(
      { inlineData: { mimeType: 'image/png', data: 'AAEC' }, videoMetadata: { fps: 2 } },
      { fileData: { mimeType: 'video/mp4', fileUri: 'https://x.test/v.mp4' } },
    ),
  )
  expect(message?.content).toEqual([
    { type: 'media', mediaType: 'image/png', sha256, bytes: 3, options: { videoMetadata: { fps: 2 } } },
    { type: 'media', mediaType: 'video/mp4', ref: 'https://x.test/v.mp4' },
  ])
})

test('settings that nobody knows are kept by their path', () => {
  const { params } = read({
    contents: [],
    generationConfig: { novelty: 1 },
    toolConfig: { novelty_2: 'de' },
    novelty_3: { promptTemplateName: 't' },
  })
  expect(params?.other).toEqual({
    'generationConfig.novelty': 1,
    // Nobody can tell how its name is spelt elsewhere.
    'toolConfig.novelty_2': 'de',
    novelty_3: { promptTemplateName: 't' },
  })
})

test.each<[string, string, JsonObject]>([
  ['cachedContent', 'cachedContent', { cachedContent: 'cachedContents/1' }],
  ['n > 1', 'generationConfig.candidateCount', { generationConfig: { candidateCount: 2 } }],
  [
    'audio or image output',
    'generationConfig.responseModalities',
    { generationConfig: { responseModalities: ['IMAGE'] } },
  ],
  ['audio or image output', 'generationConfig.speechConfig', { generationConfig: { speechConfig: {} } }],
  ['hosted/server tools and their blocks', 'tools[0].googleSearch', { tools: [{ google_search: {} }] }],
  ['hosted/server tools and their blocks', 'tools[1].codeExecution', { tools: [{}, { codeExecution: {} }] }],
  [
    'hosted/server tools and their blocks',
    'contents[0].parts[0].executableCode',
    { contents: [model({ executableCode: { code: 'x' } })] },
  ],
])('%s is refused: %s', (name, field, body) => {
  expect(refusalOf({ contents: [], ...body })).toMatchObject({ name, field })
})
