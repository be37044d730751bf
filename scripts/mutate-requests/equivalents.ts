import type { WireRequest } from '@retake/providers'
import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'

type Rewrite = (body: JsonObject) => JsonObject

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

const idMembers = ['id', 'tool_call_id', 'tool_use_id']

/** Another run of the same agent gets other ids, which stay tied to each other. */
const renameIds: Rewrite = (body) => {
  const names = new Map<string, string>()
  const rename = (id: string) => {
    if (!names.has(id)) names.set(id, `id_of_this_run_${names.size}`)
    return names.get(id) as string
  }
  return onMessages((message) =>
    onObjects((object) =>
      Object.fromEntries(
        Object.entries(object).map(([name, member]) => [
          name,
          idMembers.includes(name) && typeof member === 'string' && (name !== 'id' || isCall(object))
            ? rename(member)
            : member,
        ]),
      ),
    )(message),
  )(body)
}

const isCall = (object: JsonObject): boolean => 'function' in object || 'custom' in object || object.type === 'tool_use'

const textBlocks: Rewrite = onMessages((message) =>
  typeof message.content === 'string' && message.content !== '' && message.role !== 'tool'
    ? { ...message, content: [{ type: 'text', text: message.content }] }
    : message,
)

const both: Record<string, Rewrite> = {
  'members in another order': onObjects((object) => Object.fromEntries(Object.entries(object).reverse())),
  'tools in another order': onTools((tools) => tools.toReversed()),
  'other ids': renameIds,
  'streamed or not': (body) => ({ ...without(body, 'stream_options'), stream: body.stream !== true }),
  'texts as blocks': textBlocks,
  'another user, other metadata': (body) => ({ ...body, metadata: { user_id: 'u-2' }, service_tier: 'auto' }),
  'no cache marks': onObjects((object) => without(object, 'cache_control')),
  'more cache marks': onTools((tools) => tools.map((tool) => ({ ...tool, cache_control: { type: 'ephemeral' } }))),
}

const toolsOf = (body: JsonObject): boolean => Array.isArray(body.tools) && body.tools.length > 0

/** What SDKs and frameworks write differently for one and the same call. */
const rewrites: Record<string, Record<string, Rewrite>> = {
  'openai.chat': {
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
}

/** The same request as another run, SDK or version would write it, by what is different. */
export const equivalentsOf = (wire: string, request: WireRequest): { name: string; request: WireRequest }[] =>
  Object.entries(rewrites[wire] ?? {}).map(([name, rewrite]) => ({
    name,
    request: { ...request, body: rewrite(request.body) },
  }))
