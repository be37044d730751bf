import type { WireRequest } from '@retake/providers'
import { isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '@retake/trace'

/**
 * Where a wire keeps what a one-field change aims at. A pattern is a path with `*` for every index or member and `a|b`
 * for names that mean the same; `@user` and the like after an index takes only items of that kind.
 */
export interface Places {
  /** Texts that users and the application wrote. */
  prompts: readonly string[]
  /** The list of messages. */
  messages: string
  toolDescriptions: readonly string[]
  /** Objects of the properties that a tool takes. */
  schemas: readonly string[]
  toolResults: readonly string[]
  /** Bytes in base64, or in a data URL. */
  media: readonly string[]
  temperature: JsonPath
  /** Where a choice of tools is told, and two that differ. Some wires have none. */
  toolChoice?: { path: JsonPath; values: readonly [JsonValue, JsonValue] }
  /** The same request to another model, in the body or in the URL. */
  withModel(request: WireRequest, suffix: string): WireRequest
  /** The same request for the other form of reply. */
  withOtherForm(request: WireRequest): WireRequest
  /** Ids that tie results to calls. */
  ids: readonly string[]
  /** Members that only account for the request. */
  metadata: JsonObject
  /** Marks for a cache, on the whole request, on tools, and on parts of messages. */
  cacheMarks?: { request?: JsonObject; onEach: readonly string[]; mark: JsonObject }
}

const modelInBody = (request: WireRequest, suffix: string): WireRequest => {
  const { model } = request.body
  if (typeof model === 'string') return { ...request, body: { ...request.body, model: model + suffix } }
  return { ...request, url: request.url.replace(/(\/(?:models|deployments|endpoints|model)\/[^/:?]+)/, `$1${suffix}`) }
}

const modelInUrl = (request: WireRequest, suffix: string): WireRequest => ({
  ...request,
  url: request.url.replace(/(\/(?:models|tunedModels|endpoints|model)\/[^/:?]+)/, `$1${suffix}`),
})

const streamInBody = (request: WireRequest): WireRequest => {
  const { stream_options: _, ...body } = request.body
  return { ...request, body: { ...body, stream: body.stream !== true } }
}

const streamInPath = (request: WireRequest): WireRequest => ({
  ...request,
  url: request.url.includes(':streamGenerateContent')
    ? request.url.replace(':streamGenerateContent', ':generateContent').replace(/[?&]\$?alt=sse/, '')
    : request.url.replace(/:generateContent(\?)?/, (_, query) => `:streamGenerateContent?alt=sse${query ? '&' : ''}`),
})

const inHeaders = (request: WireRequest, name: string, change: (value: string) => string): WireRequest => ({
  ...request,
  headers: { ...request.headers, [name]: change(request.headers[name] ?? '') },
})

const ephemeral: JsonObject = { cache_control: { type: 'ephemeral' } }
const geminiSchemas = ['parameters', 'parametersJsonSchema|parameters_json_schema'].map(
  (name) => `tools.*.functionDeclarations|function_declarations.*.${name}.properties`,
)

const anthropic: Places = {
  prompts: ['system', 'system.*.text', 'messages.*@asked.content', 'messages.*@asked.content.*.text'],
  messages: 'messages',
  toolDescriptions: ['tools.*.description'],
  schemas: ['tools.*.input_schema.properties'],
  toolResults: ['messages.*.content.*@result.content', 'messages.*.content.*@result.content.*.text'],
  media: ['messages.*.content.*.source.data', 'messages.*.content.*@result.content.*.source.data'],
  temperature: ['temperature'],
  toolChoice: { path: ['tool_choice'], values: [{ type: 'none' }, { type: 'any' }] },
  withModel: modelInBody,
  withOtherForm: streamInBody,
  ids: ['messages.*.content.*.id', 'messages.*.content.*.tool_use_id'],
  metadata: { metadata: { user_id: 'retake-user' } },
  cacheMarks: {
    request: ephemeral,
    onEach: ['tools.*', 'system.*', 'messages.*.content.*@markable'],
    mark: ephemeral,
  },
}

/** Clouds tell the form in the path. */
const verbs: readonly [string, string][] = [
  ['/converse', '/converse-stream'],
  ['/invoke', '/invoke-with-response-stream'],
]

const otherVerb = (request: WireRequest): WireRequest => {
  const { url } = request
  const whole = verbs.find(([json]) => url.endsWith(json))
  if (whole) return { ...request, url: url.slice(0, -whole[0].length) + whole[1] }
  const streamed = verbs.find(([, stream]) => url.endsWith(stream))
  if (streamed) return { ...request, url: url.slice(0, -streamed[1].length) + streamed[0] }
  return streamInBody(request)
}

/** By the name of the wire. */
export const places: Readonly<Record<string, Places>> = {
  'openai.chat': {
    prompts: ['messages.*@asked.content', 'messages.*@asked.content.*.text'],
    messages: 'messages',
    toolDescriptions: ['tools.*.function|custom.description'],
    schemas: ['tools.*.function.parameters.properties'],
    toolResults: ['messages.*@tool.content', 'messages.*@tool.content.*.text'],
    media: [
      'messages.*.content.*.image_url|document_url',
      'messages.*.content.*.image_url.url',
      'messages.*.content.*.file.file_data',
      'messages.*.content.*.input_audio.data',
    ],
    temperature: ['temperature'],
    toolChoice: { path: ['tool_choice'], values: ['none', 'required'] },
    withModel: modelInBody,
    withOtherForm: streamInBody,
    ids: ['messages.*.tool_calls.*.id', 'messages.*.tool_call_id'],
    metadata: { metadata: { retake: 'x' }, user: 'retake-user', store: true },
    cacheMarks: {
      request: { prompt_cache_key: 'retake' },
      onEach: ['tools.*', 'messages.*.content.*'],
      mark: { ...ephemeral },
    },
  },
  'openai.responses': {
    prompts: ['instructions', 'input', 'input.*@asked.content', 'input.*@asked.content.*.text'],
    messages: 'input',
    toolDescriptions: ['tools.*.description'],
    schemas: ['tools.*.parameters.properties'],
    toolResults: ['input.*.output', 'input.*.output.*.text'],
    media: ['input.*.content|output.*.image_url', 'input.*.content|output.*.file_data'],
    temperature: ['temperature'],
    toolChoice: { path: ['tool_choice'], values: ['none', 'required'] },
    withModel: modelInBody,
    withOtherForm: streamInBody,
    ids: ['input.*.call_id'],
    metadata: { metadata: { retake: 'x' }, user: 'retake-user' },
    cacheMarks: {
      request: { prompt_cache_key: 'retake' },
      onEach: ['input.*@asked.content.*'],
      mark: { prompt_cache_breakpoint: { mode: 'explicit' } },
    },
  },
  'anthropic.messages': anthropic,
  'anthropic.vertex': { ...anthropic, withModel: modelInUrl, withOtherForm: otherVerb },
  'anthropic.bedrock': { ...anthropic, withModel: modelInUrl, withOtherForm: otherVerb },
  'gemini.generate-content': {
    prompts: [
      'systemInstruction|system_instruction.parts.text',
      'systemInstruction|system_instruction.parts.*.text',
      'contents.*@asked.parts.*.text',
      'contents.parts.text',
    ],
    messages: 'contents',
    toolDescriptions: ['tools.*.functionDeclarations|function_declarations.*.description'],
    schemas: geminiSchemas,
    toolResults: ['contents.*.parts.*.functionResponse|function_response.response.*'],
    media: ['contents.*.parts.*.inlineData|inline_data.data'],
    temperature: ['generationConfig', 'temperature'],
    toolChoice: { path: ['toolConfig', 'functionCallingConfig'], values: [{ mode: 'NONE' }, { mode: 'ANY' }] },
    withModel: modelInUrl,
    withOtherForm: streamInPath,
    ids: [
      'contents.*.parts.*.functionCall|function_call.id',
      'contents.*.parts.*.functionResponse|function_response.id',
    ],
    metadata: { labels: { retake: 'x' } },
  },
  'ollama.chat': {
    prompts: ['messages.*@asked.content'],
    messages: 'messages',
    toolDescriptions: ['tools.*.function.description'],
    schemas: ['tools.*.function.parameters.properties'],
    toolResults: ['messages.*@tool.content'],
    media: ['messages.*.images.*'],
    temperature: ['options', 'temperature'],
    withModel: modelInBody,
    withOtherForm: (request) => ({ ...request, body: { ...request.body, stream: request.body.stream === false } }),
    ids: ['messages.*.tool_calls.*.id', 'messages.*.tool_call_id'],
    metadata: { keep_alive: '7m' },
  },
  'ai-gateway.language-model': {
    prompts: ['prompt.*@asked.content', 'prompt.*@asked.content.*.text'],
    messages: 'prompt',
    toolDescriptions: ['tools.*.description'],
    schemas: ['tools.*.inputSchema.properties'],
    toolResults: ['prompt.*@tool.content.*.output.value'],
    media: ['prompt.*.content.*.data.data'],
    temperature: ['temperature'],
    toolChoice: { path: ['toolChoice'], values: [{ type: 'none' }, { type: 'required' }] },
    withModel: (request, suffix) => inHeaders(request, 'ai-language-model-id', (model) => `${model}${suffix}`),
    withOtherForm: (request) =>
      inHeaders(request, 'ai-language-model-streaming', (streams) => String(streams !== 'true')),
    ids: ['prompt.*.content.*.toolCallId'],
    metadata: { headers: { 'user-agent': 'retake' } },
    cacheMarks: {
      onEach: ['prompt.*'],
      mark: { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
    },
  },
  'bedrock.converse': {
    prompts: ['system.*.text', 'messages.*@asked.content.*.text'],
    messages: 'messages',
    toolDescriptions: ['toolConfig.tools.*.toolSpec.description'],
    schemas: ['toolConfig.tools.*.toolSpec.inputSchema.json.properties'],
    toolResults: ['messages.*.content.*.toolResult.content.*.text'],
    media: [
      'messages.*.content.*.image|document|video|audio.source.bytes',
      'messages.*.content.*.toolResult.content.*.image|document|video.source.bytes',
    ],
    temperature: ['inferenceConfig', 'temperature'],
    toolChoice: { path: ['toolConfig', 'toolChoice'], values: [{ any: {} }, { tool: { name: 'retake' } }] },
    withModel: modelInUrl,
    withOtherForm: otherVerb,
    ids: ['messages.*.content.*.toolUse|toolResult.toolUseId'],
    metadata: { requestMetadata: { retake: 'x' }, performanceConfig: { latency: 'optimized' } },
  },
}

const kinds: Readonly<Record<string, (item: JsonObject) => boolean>> = {
  asked: ({ role }) => ['user', 'system', 'developer', undefined].includes(role as string | undefined),
  tool: ({ role }) => role === 'tool',
  result: ({ type }) => type === 'tool_result',
  markable: ({ type }) => !['thinking', 'redacted_thinking'].includes(String(type)),
}

/** Every place that a pattern finds, in order. */
export const find = (value: JsonValue, pattern: string): { path: JsonPath; value: JsonValue }[] =>
  walk(value, pattern.split('.'), [])

function walk(value: JsonValue, [first, ...rest]: string[], path: JsonPath): { path: JsonPath; value: JsonValue }[] {
  if (first === undefined) return [{ path, value }]
  const [names = '', kind] = first.split('@')
  if (typeof value !== 'object' || value === null) return []
  const entries: [string | number, JsonValue][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return entries
    .filter(([key, member]) => {
      const isNamed = names === '*' || (typeof key === 'string' && names.split('|').includes(key))
      return isNamed && (kind === undefined || (isJsonObject(member) && kinds[kind]?.(member) === true))
    })
    .flatMap(([key, member]) => walk(member, rest, [...path, key]))
}
