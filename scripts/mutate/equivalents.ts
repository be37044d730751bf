import type { WireRequest } from '@retake/providers'
import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'

type Rewrite = (body: JsonObject, url: string) => JsonObject

const mapObjects = (value: JsonValue, change: (object: JsonObject) => JsonObject): JsonValue => {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (!isJsonObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapObjects(member, change)])))
}

const onObjects =
  (change: (object: JsonObject) => JsonObject): Rewrite =>
  (body) =>
    mapObjects(body, change) as JsonObject

const without = (object: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

const onMessages =
  (change: (message: JsonObject) => JsonObject): Rewrite =>
  (body) => ({ ...body, messages: (body.messages as JsonObject[]).map(change) })

const onTools =
  (change: (tools: JsonObject[]) => JsonObject[]): Rewrite =>
  (body) =>
    Array.isArray(body.tools) ? { ...body, tools: change(body.tools as JsonObject[]) } : body

const idMembers = ['id', 'call_id', 'tool_call_id', 'tool_use_id']

/** Another run of the same agent gets other ids, which stay tied to each other. */
const renameIds =
  (list: string): Rewrite =>
  (body) => {
    const names = new Map<string, string>()
    const rename = (id: string) => {
      if (!names.has(id)) names.set(id, `id_of_this_run_${names.size}`)
      return names.get(id) as string
    }
    const renameIn = onObjects((object) =>
      Object.fromEntries(
        Object.entries(object).map(([name, member]) => [
          name,
          idMembers.includes(name) && typeof member === 'string' && (name !== 'id' || isCall(object))
            ? rename(member)
            : member,
        ]),
      ),
    )
    const messages = body[list]
    return Array.isArray(messages)
      ? { ...body, [list]: messages.map((item) => (isJsonObject(item) ? renameIn(item, '') : item)) }
      : body
  }

const isCall = (object: JsonObject): boolean =>
  'function' in object ||
  'custom' in object ||
  object.type === 'tool_use' ||
  ('name' in object && ('args' in object || 'response' in object))

const textBlocks: Rewrite = onMessages((message) =>
  typeof message.content === 'string' && message.content !== '' && message.role !== 'tool'
    ? { ...message, content: [{ type: 'text', text: message.content }] }
    : message,
)

/** What no wire tells apart. */
const every: Record<string, Rewrite> = {
  'members in another order': onObjects((object) => Object.fromEntries(Object.entries(object).reverse())),
  'tools in another order': onTools((tools) => tools.toReversed()),
  'null for what is not given': (body) => ({ temperature: null, seed: null, ...body }),
}

/** What Chat Completions and Messages have in common. */
const both: Record<string, Rewrite> = {
  ...every,
  'other ids': renameIds('messages'),
  'streamed or not': (body) => ({ ...without(body, 'stream_options'), stream: body.stream !== true }),
  'texts as blocks': textBlocks,
  'another user, other metadata': (body) => ({ ...body, metadata: { user_id: 'u-2' }, service_tier: 'auto' }),
  'no cache marks': onObjects((object) => without(object, 'cache_control')),
  'more cache marks': onTools((tools) => tools.map((tool) => ({ ...tool, cache_control: { type: 'ephemeral' } }))),
}

const onItems =
  (change: (item: JsonObject) => JsonObject): Rewrite =>
  (body) =>
    Array.isArray(body.input)
      ? { ...body, input: body.input.map((item) => (isJsonObject(item) ? change(item) : item)) }
      : body

const onConfig =
  (change: (config: JsonObject) => JsonObject): Rewrite =>
  (body) => ({
    ...body,
    generationConfig: change(isJsonObject(body.generationConfig) ? body.generationConfig : {}),
  })

const onDeclarations = (change: (declaration: JsonObject) => JsonObject): Rewrite =>
  onTools((tools) =>
    tools.map((tool) =>
      Array.isArray(tool.functionDeclarations)
        ? { ...tool, functionDeclarations: (tool.functionDeclarations as JsonObject[]).map(change) }
        : tool,
    ),
  )

const isNothing = (value: JsonValue | undefined): boolean => value === undefined || value === null || value === false

const withDialect = (schema: JsonObject): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...schema,
})

const toolsOf = (body: JsonObject): boolean => Array.isArray(body.tools) && body.tools.length > 0

const breakpoint: JsonObject = { prompt_cache_breakpoint: { mode: 'explicit' } }

/** What SDKs and frameworks write differently for one and the same call. */
const rewrites: Record<string, Record<string, Rewrite>> = {
  'openai.chat': {
    'plain text asked for by name': (body) => ({ response_format: { type: 'text' }, ...body }),
    'breakpoints for the cache': onMessages((message) =>
      Array.isArray(message.content)
        ? {
            ...message,
            content: message.content.map((part) => (isJsonObject(part) ? { ...part, ...breakpoint } : part)),
          }
        : message,
    ),
    ...both,
    'developer for system': onMessages((message) =>
      message.role === 'system' ? { ...message, role: 'developer' } : message,
    ),
    'the other name of the limit': ({ max_tokens: older, max_completion_tokens: newer, ...body }) =>
      older !== undefined && newer !== undefined
        ? { ...body, max_tokens: older, max_completion_tokens: newer }
        : {
            ...body,
            ...(older !== undefined && { max_completion_tokens: older }),
            ...(newer !== undefined && { max_tokens: newer }),
          },
    'defaults said aloud': (body) => ({
      ...body,
      n: 1,
      store: false,
      logprobs: body.logprobs ?? false,
      ...(toolsOf(body) && { tool_choice: body.tool_choice ?? 'auto' }),
      ...(body.modalities ? {} : { modalities: ['text'] }),
    }),
    'tools that say strict: false': onTools((tools) =>
      tools.map((tool) =>
        isJsonObject(tool.function) ? { ...tool, function: { strict: false, ...tool.function } } : tool,
      ),
    ),
    'no tools as an empty list': (body) => ({ ...body, tools: body.tools ?? [] }),
    'null where nothing is given': onMessages((message) =>
      message.role === 'assistant' ? { tool_calls: null, refusal: null, audio: null, name: null, ...message } : message,
    ),
    'a tool result in one part': onMessages((message) =>
      message.role === 'tool' && typeof message.content === 'string' && message.content !== ''
        ? { ...message, content: [{ type: 'text', text: message.content }] }
        : message,
    ),
    'a reply handed back whole': onMessages((message) =>
      message.role === 'assistant' ? { annotations: [], parsed: null, reasoning_content: 'Hm.', ...message } : message,
    ),
  },
  'anthropic.messages': {
    ...both,
    'system as blocks': (body) =>
      typeof body.system === 'string' && body.system !== ''
        ? { ...body, system: [{ type: 'text', text: body.system }] }
        : body,
    'defaults said aloud': (body) => ({
      ...body,
      ...(toolsOf(body) && { tool_choice: body.tool_choice ?? { type: 'auto' } }),
      stop_sequences: body.stop_sequences ?? [],
    }),
    'tools of type custom': onTools((tools) => tools.map((tool) => ({ type: 'custom', ...tool }))),
    'tools that stream their input': onTools((tools) =>
      tools.map((tool) => ({ ...tool, eager_input_streaming: tool.eager_input_streaming !== true })),
    ),
    'results that say is_error: false': onObjects((object) =>
      object.type === 'tool_result' ? { is_error: false, ...object } : object,
    ),
    'results in blocks': onObjects((object) =>
      object.type === 'tool_result' && typeof object.content === 'string' && object.content !== ''
        ? { ...object, content: [{ type: 'text', text: object.content }] }
        : object,
    ),
    'texts that say citations: null': onObjects((object) =>
      object.type === 'text' ? { citations: null, ...object } : object,
    ),
    'thinking handed back': onMessages((message) =>
      message.role === 'assistant' && Array.isArray(message.content)
        ? { ...message, content: [{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }, ...message.content] }
        : message,
    ),
    'calls that name their caller': onObjects((object) =>
      object.type === 'tool_use' ? { ...object, caller: { type: 'direct' } } : object,
    ),
  },
  'openai.responses': {
    ...every,
    'other ids': renameIds('input'),
    'streamed or not': (body) => ({ ...without(body, 'stream_options'), stream: body.stream !== true }),
    'another user, other metadata': (body) => ({ ...body, metadata: { a: 'b' }, user: 'u-2', service_tier: 'auto' }),
    'stored or not, cached or not': (body) => ({ ...body, store: body.store === false, prompt_cache_key: 'k-2' }),
    'a text as one message': (body) =>
      typeof body.input === 'string' ? { ...body, input: [{ role: 'user', content: body.input }] } : body,
    'messages that say their type': onItems((item) => ('role' in item ? { type: 'message', ...item } : item)),
    'items that say their status and id': onItems((item) =>
      'role' in item || isJsonObject(item.caller) ? item : { status: 'completed', id: 'item_2', ...item },
    ),
    'texts in one part': onItems((item) =>
      typeof item.content === 'string' && item.content !== ''
        ? { ...item, content: [{ type: item.role === 'assistant' ? 'output_text' : 'input_text', text: item.content }] }
        : item,
    ),
    'texts that say what they do not have': onObjects((object) =>
      object.type === 'output_text' ? { annotations: [], logprobs: [], ...object } : object,
    ),
    'defaults said aloud': (body) => ({
      ...body,
      tool_choice: body.tool_choice ?? 'auto',
      truncation: body.truncation ?? 'disabled',
      text: { format: { type: 'text' }, ...(body.text as JsonObject | undefined) },
      include: body.include ?? [],
      background: false,
    }),
    'more detail asked for': (body) => ({
      ...body,
      include: [...((body.include as string[] | undefined) ?? []), 'reasoning.encrypted_content'],
    }),
    'strict: false': onTools((tools) =>
      tools.map((tool) => (tool.type === 'function' && isNothing(tool.strict) ? { ...tool, strict: false } : tool)),
    ),
    'schemas that name their dialect': onTools((tools) =>
      tools.map((tool) =>
        isJsonObject(tool.parameters) ? { ...tool, parameters: withDialect(tool.parameters) } : tool,
      ),
    ),
    'instructions as the first message': (body) =>
      typeof body.instructions === 'string' && body.instructions !== '' && Array.isArray(body.input)
        ? {
            ...without(body, 'instructions'),
            input: [{ role: 'developer', content: body.instructions }, ...body.input],
          }
        : body,
    'thinking handed back': (body) =>
      Array.isArray(body.input)
        ? { ...body, input: [...body.input, { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'x' }] }
        : body,
  },
  'gemini.generate-content': {
    ...every,
    'tools in another order': onTools((tools) =>
      tools.map((tool) =>
        Array.isArray(tool.functionDeclarations)
          ? { ...tool, functionDeclarations: tool.functionDeclarations.toReversed() }
          : tool,
      ),
    ),
    'empty settings': (body) => ({
      generationConfig: {},
      toolConfig: {},
      safetySettings: [],
      tools: [],
      ...body,
    }),
    'stop sequences of none': onConfig((config) => ({ stopSequences: [], ...config })),
    'defaults said aloud': (body) => ({
      ...onConfig((config) => ({ candidateCount: 1, responseModalities: ['TEXT'], ...config }))(body, ''),
      toolConfig: body.toolConfig ?? { functionCallingConfig: { mode: 'AUTO' } },
    }),
    'labels and a tier': (body) => ({ ...body, labels: { a: 'b' }, serviceTier: 'flex', store: true }),
    'the model in the body': (body, url) => {
      const [, model] = /\/models\/([^/:]+):/.exec(url) ?? []
      return model === undefined ? body : { ...body, model: `models/${model}` }
    },
    'names with underscores': (body) => {
      const { systemInstruction: system, generationConfig: config, ...rest } = body
      return {
        ...rest,
        ...(system !== undefined && { system_instruction: system }),
        ...(isJsonObject(config) && {
          generation_config: Object.fromEntries(Object.entries(config).map(([name, value]) => [toSnake(name), value])),
        }),
      }
    },
    'instructions of a system role': (body) =>
      isJsonObject(body.systemInstruction)
        ? { ...body, systemInstruction: { ...body.systemInstruction, role: 'system' } }
        : body,
    'types of a schema in capitals': onDeclarations((declaration) =>
      isJsonObject(declaration.parameters)
        ? { ...declaration, parameters: mapObjects(declaration.parameters, toCapitals) }
        : declaration,
    ),
    'functions without a description that say so': onDeclarations((declaration) => ({
      description: '',
      ...declaration,
    })),
    'other ids': renameIds('contents'),
    'no ids': onObjects((object) =>
      'name' in object && ('args' in object || 'response' in object) ? without(object, 'id') : object,
    ),
    'thoughts and signatures handed back': (body) =>
      Array.isArray(body.contents)
        ? {
            ...body,
            contents: body.contents.map((content) =>
              isJsonObject(content) && content.role === 'model' && Array.isArray(content.parts)
                ? { ...content, parts: [{ text: 'Hm.', thought: true }, ...content.parts.map(signed)] }
                : content,
            ),
          }
        : body,
  },
  'ollama.chat': {
    ...every,
    'streamed or not': (body) => ({ ...body, stream: body.stream === false }),
    'how long the model stays': (body) => ({ ...body, keep_alive: '1h' }),
    'no options': (body) => ({ options: {}, format: '', tools: [], ...body }),
    'other ids': renameIds('messages'),
  },
}

const signed = (part: JsonValue): JsonValue =>
  isJsonObject(part) && 'functionCall' in part ? { ...part, thoughtSignature: 'c2ln' } : part

const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const toCapitals = (schema: JsonObject): JsonObject =>
  typeof schema.type === 'string' ? { ...schema, type: schema.type.toUpperCase() } : schema

/** Headers of transport and of the SDK's own statistics. */
const otherHeaders = { 'user-agent': 'OpenAI/JS 7.0', 'x-stainless-lang': 'js', 'x-stainless-retry-count': '1' }

/** The same request as another run, SDK or version would write it, by what is different. */
export const equivalentsOf = (wire: string, request: WireRequest): { name: string; request: WireRequest }[] => [
  ...Object.entries(rewrites[wire] ?? {}).map(([name, rewrite]) => ({
    name,
    request: { ...request, body: rewrite(request.body, request.url) },
  })),
  { name: 'other headers of the SDK', request: { ...request, headers: { ...request.headers, ...otherHeaders } } },
]
