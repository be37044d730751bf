import type { WireRequest } from '@retake/providers'
import { isJsonObject, type JsonPath, type JsonValue } from '@retake/trace'
import { type Mutation, patternOf } from './mutations.ts'

interface Context extends Mutation {
  request: WireRequest
}

/**
 * What strict replay does not compare, written down apart from the code that does not compare it. A mutation that is
 * served and not on this list is a fault.
 */
interface Ignored {
  wire:
    | 'openai.chat'
    | 'openai.responses'
    | 'anthropic.messages'
    | 'gemini.generate-content'
    | 'ollama.chat'
    | 'bedrock.converse'
    | 'ai-gateway.language-model'
    | 'every'
  /** Of the path with every index as `*`. */
  path: RegExp
  /** [every kind] */
  kinds?: readonly Mutation['kind'][]
  /** [always] */
  when?(context: Context): boolean
}

const textOf = (value: JsonValue | undefined): string => JSON.stringify(value) ?? ''

const is =
  (...values: JsonValue[]) =>
  ({ before }: Context) =>
    values.some((value) => textOf(value) === textOf(before))

const at = (document: JsonValue | undefined, path: JsonPath): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((value, key) => {
    if (Array.isArray(value)) return value[key as number]
    return isJsonObject(value) ? value[key] : undefined
  }, document)

const typeOf = (value: JsonValue | undefined): JsonValue | undefined => (isJsonObject(value) ? value.type : undefined)

/** The path of the part, or of the block of a system prompt, that a path leads into. */
const itemOf = (path: JsonPath): JsonPath => path.slice(0, path[0] === 'system' ? 2 : 4)

const inResult = ({ path, request }: Context): boolean => typeOf(at(request.body, itemOf(path))) === 'tool-result'

const hasMember = (value: JsonValue | undefined, name: string): boolean => isJsonObject(value) && name in value

/** A member that says what its absence says: only taking it away changes nothing. */
const unsaid = (wire: Ignored['wire'], path: RegExp, ...values: JsonValue[]): Ignored => ({
  wire,
  path,
  kinds: ['removed'],
  when: is(...values),
})

/** The member and everything in it. */
const wholly = (wire: Ignored['wire'], ...names: string[]): Ignored[] =>
  names.map((name) => ({ wire, path: new RegExp(`^${name}(\\.|\\[|$)`) }))

const ignored: readonly Ignored[] = [
  // Transport, accounting, ids of the user, caching.
  ...wholly('every', 'stream', 'metadata', 'service_tier'),
  ...wholly('openai.chat', 'stream_options', 'user', 'safety_identifier', 'store'),
  ...wholly('openai.chat', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'),
  ...wholly('openai.responses', 'stream_options', 'user', 'safety_identifier', 'store'),
  ...wholly('openai.responses', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'),
  ...wholly('ollama.chat', 'keep_alive'),
  ...wholly('gemini.generate-content', 'labels', 'serviceTier', 'store'),
  ...wholly('anthropic.messages', 'speed', 'inference_geo', 'diagnostics', 'user_profile_id', 'workspace_id'),
  ...wholly('anthropic.messages', 'billing_policy', 'tools\\[\\*\\]\\.eager_input_streaming'),
  ...wholly('anthropic.messages', 'anthropic_version'),
  ...wholly('bedrock.converse', 'requestMetadata', 'performanceConfig', 'serviceTier'),
  ...wholly('ai-gateway.language-model', 'headers', 'includeRawChunks'),
  { wire: 'every', path: /(^|\.)(cache_control|prompt_cache_breakpoint)(\.|$)/ },
  {
    wire: 'bedrock.converse',
    path: /^(system|messages\[\*\]\.content)(\[\*\](\.|$)|$)/,
    when: ({ path, request, before, beside }) =>
      [before, beside, at(request.body, itemOf(path))].some((block) => hasMember(block, 'cachePoint')),
  },

  // A null asks for the default, and so do these.
  unsaid('every', /./, null),
  unsaid('every', /^(tools|stop|stop_sequences|system)$/, [], ''),
  unsaid('openai.chat', /^messages\[\*\]\.content$/, '', []),
  unsaid('every', /\.(strict|is_error|prefix)$/, false),
  unsaid('every', /^tools\[\*\](\.function|\.custom)?\.description$/, ''),
  unsaid('openai.chat', /^tool_choice$/, 'auto'),
  unsaid('anthropic.messages', /^tool_choice(\.type)?$/, { type: 'auto' }, 'auto'),
  unsaid('openai.chat', /^n$/, 1),
  unsaid('openai.chat', /^response_format(\.type)?$/, { type: 'text' }, 'text'),
  unsaid('openai.chat', /^logprobs$/, false),
  unsaid('openai.chat', /^modalities(\[\*\])?$/, ['text'], 'text'),
  unsaid('openai.chat', /\.image_url\.detail$/, 'auto'),
  unsaid('openai.chat', /^tools\[\*\]\.custom\.format(\.type)?$/, { type: 'text' }, 'text'),
  unsaid('anthropic.messages', /\.input$/, {}),

  unsaid('openai.responses', /^(instructions|tool_choice|truncation)$/, '', 'auto', 'disabled'),
  unsaid('openai.responses', /^text(\.format(\.type)?)?$/, { format: { type: 'text' } }, { type: 'text' }, 'text'),
  unsaid('openai.responses', /^top_logprobs$/, 0),
  unsaid('openai.responses', /\.content\[\*\]\.detail$/, 'auto'),
  unsaid('openai.responses', /^input\[\*\]\.type$/, 'message'),
  // It only asks to be shown more of the reply, or of the request.
  { wire: 'openai.responses', path: /^include(\[\*\])?$/, kinds: ['removed', 'swapped'] },
  unsaid('ollama.chat', /^(options|format|messages\[\*\]\.content)$/, {}, ''),

  unsaid('bedrock.converse', /\.toolResult\.status$/, 'success'),
  unsaid('gemini.generate-content', /^(tools|safetySettings|generationConfig|toolConfig)$/, [], {}),
  unsaid('gemini.generate-content', /\.functionDeclarations\[\*\]\.description$/, ''),
  // It only lets arguments arrive in pieces.
  { wire: 'gemini.generate-content', path: /\.streamFunctionCallArguments$/ },
  unsaid(
    'gemini.generate-content',
    /^toolConfig(\.functionCallingConfig)?$/,
    { functionCallingConfig: { streamFunctionCallArguments: true } },
    { streamFunctionCallArguments: true },
  ),
  unsaid('gemini.generate-content', /^generationConfig$/, { responseModalities: ['TEXT'] }, { candidateCount: 1 }),
  unsaid('gemini.generate-content', /^generationConfig\.candidateCount$/, 1),
  unsaid('gemini.generate-content', /^generationConfig\.responseModalities(\[\*\])?$/, ['TEXT'], 'TEXT'),
  unsaid('gemini.generate-content', /\.functionCall\.args$/, {}),
  unsaid('gemini.generate-content', /^contents\[\*\]\.role$/, 'user'),
  { wire: 'gemini.generate-content', path: /^systemInstruction\.role$/ },

  // The type that the other members tell.
  unsaid('every', /^tools\[\*\]\.type$/, 'function', 'custom'),
  unsaid('openai.chat', /\.tool_calls\[\*\]\.type$/, 'function', 'custom'),
  {
    wire: 'anthropic.messages',
    path: /\.content\[\*\]\.content\[\*\]\.type$/,
    kinds: ['removed'],
    when: ({ path, request, before }) =>
      before === 'text' && typeOf(at(request.body, path.slice(0, -3))) === 'search_result',
  },

  // The dialect of a schema.
  { wire: 'every', path: /\.\$schema$/ },

  // What a reply said of itself, handed back in the history: thinking above all.
  { wire: 'openai.chat', path: /\.tool_calls\[\*\]\.index$/ },
  { wire: 'openai.chat', path: /^messages\[\*\]\.(reasoning|reasoning_content|reasoning_details)(\.|\[|$)/ },
  {
    wire: 'every',
    path: /^messages\[\*\]\.content\[\*\](\.(?!type$)|$)/,
    when: ({ path, request }) => isThinking(at(request.body, path.slice(0, 4))),
  },

  {
    wire: 'bedrock.converse',
    path: /^messages\[\*\]\.content(\[\*\](\.|$)|$)/,
    when: ({ path, request, before, beside }) =>
      [before, beside, at(request.body, itemOf(path))].some((block) => hasMember(block, 'reasoningContent')),
  },
  {
    wire: 'ai-gateway.language-model',
    path: /^prompt\[\*\]\.content(\[\*\](\.(?!type$)|$)|$)/,
    when: ({ path, request, before, beside }) =>
      [before, beside, at(request.body, itemOf(path))].some((part) => typeOf(part) === 'reasoning'),
  },
  { wire: 'ollama.chat', path: /^messages\[\*\]\.(thinking|tool_calls\[\*\]\.function\.index)$/ },
  // Without them results belong to calls by their order.
  { wire: 'ollama.chat', path: /\.(tool_calls\[\*\]\.id|tool_call_id|tool_name)$/, kinds: ['removed'] },
  // A phase is the model's own word for a message. A v2 cassette cannot give it back, nor do all SDKs send it.
  { wire: 'openai.responses', path: /^input\[\*\]\.(status|phase)$/ },
  { wire: 'openai.responses', path: /^input\[\*\]\.content\[\*\]\.(annotations|logprobs)(\.|\[|$)/ },
  {
    wire: 'openai.responses',
    path: /^input\[\*\](\.(?!type$)|$)/,
    when: ({ path, request }) => typeOf(at(request.body, path.slice(0, 2))) === 'reasoning',
  },

  { wire: 'gemini.generate-content', path: /\.thoughtSignature$/ },
  {
    wire: 'gemini.generate-content',
    path: /^contents\[\*\]\.parts\[\*\](\.(?!thought$)|$)/,
    when: ({ path, request }) => isThought(at(request.body, path.slice(0, 4))),
  },
  // Without them results belong to calls by name and order.
  { wire: 'gemini.generate-content', path: /\.(functionCall|functionResponse)\.id$/, kinds: ['removed'] },

  // It repeats what the call says, so it may be left out, but not say something else.
  {
    wire: 'openai.chat',
    path: /^messages\[\*\]\.name$/,
    kinds: ['removed'],
    when: ({ path, request }) => (at(request.body, path.slice(0, 2)) as { role?: unknown }).role === 'tool',
  },
  {
    wire: 'ai-gateway.language-model',
    path: /^prompt\[\*\]\.content\[\*\]\.toolName$/,
    kinds: ['removed'],
    when: inResult,
  },
  {
    wire: 'anthropic.messages',
    path: /^messages\[\*\]\.content\[\*\]\.toolset_name$/,
    kinds: ['removed'],
    when: ({ path, request }) => typeOf(at(request.body, path.slice(0, -1))) === 'tool_result',
  },
  // The path of an Azure request says it too.
  {
    wire: 'openai.chat',
    path: /^model$/,
    kinds: ['removed'],
    when: ({ request, before }) => request.url.includes(`/deployments/${before}/`),
  },

  // An id only ties a result to its call: one that stands alone ties nothing.
  {
    wire: 'every',
    path: /\.(id|call_id|tool_call_id|tool_use_id)$/,
    kinds: ['changed', 'retyped', 'removed'],
    when: ({ request, before }) => textOf(request.body).split(textOf(before)).length === 2,
  },

  // How a turn is split: an empty message, or an empty text, beside one of the same role.
  {
    wire: 'every',
    path: /^(messages|input)(\[\*\](\.content(\[\*\])?)?)?$/,
    kinds: ['removed', 'swapped'],
    when: ({ before }) => before === '' || (isJsonObject(before) && (before.content === '' || before.text === '')),
  },

  // Order that a model does not see: of tools; of an assistant's text among its calls, which some wires cannot say.
  { wire: 'every', path: /^(toolConfig\.)?tools(\[\*\]\.functionDeclarations)?$/, kinds: ['swapped'] },
  {
    wire: 'every',
    path: /^messages\[\*\]\.content$/,
    kinds: ['swapped'],
    when: ({ path, request, before, beside }) =>
      (at(request.body, path.slice(0, 2)) as { role?: unknown }).role === 'assistant' &&
      (isThinking(before) || isThinking(beside) || (typeOf(before) === 'text') !== (typeOf(beside) === 'text')),
  },
  {
    wire: 'bedrock.converse',
    path: /^messages\[\*\]\.content$/,
    kinds: ['swapped'],
    when: ({ before, beside }) => hasMember(before, 'text') && hasMember(beside, 'toolUse'),
  },
  {
    wire: 'ai-gateway.language-model',
    path: /^prompt\[\*\]\.content$/,
    kinds: ['swapped'],
    when: ({ before, beside }) => typeOf(before) === 'text' && typeOf(beside) === 'tool-call',
  },
  {
    wire: 'openai.responses',
    path: /^input$/,
    kinds: ['swapped'],
    when: ({ before, beside }) =>
      [before, beside].some((item) => typeOf(item) === 'reasoning') ||
      (isTurnItem(before) && isTurnItem(beside) && isItemCall(before) !== isItemCall(beside)),
  },
  {
    wire: 'gemini.generate-content',
    path: /^contents\[\*\]\.parts$/,
    kinds: ['swapped'],
    when: ({ path, request, before, beside }) =>
      (at(request.body, path.slice(0, 2)) as { role?: unknown }).role === 'model' &&
      (isThought(before) || isThought(beside) || isCall(before) !== isCall(beside)),
  },
]

const isItemCall = (item: JsonValue | undefined): boolean =>
  ['function_call', 'custom_tool_call'].includes(String(typeOf(item)))

const isTurnItem = (item: JsonValue | undefined): boolean =>
  isItemCall(item) || (isJsonObject(item) && item.role === 'assistant')

const isThought = (part: JsonValue | undefined): boolean => isJsonObject(part) && part.thought === true

const isCall = (part: JsonValue | undefined): boolean => isJsonObject(part) && part.functionCall !== undefined

function isThinking(value: JsonValue | undefined): boolean {
  const type = typeOf(value)
  return type === 'thinking' || type === 'redacted_thinking'
}

const messagesInClouds = ['anthropic.bedrock', 'anthropic.vertex']

/** Is it right that this mutation of a request is served? */
export const isIgnored = (wire: string, mutation: Mutation, request: WireRequest): boolean => {
  const pattern = patternOf(mutation.path)
  const api = messagesInClouds.includes(wire) ? 'anthropic.messages' : wire
  return ignored.some(
    ({ wire: of, path, kinds, when }) =>
      (of === 'every' || of === api) &&
      path.test(pattern) &&
      (kinds === undefined || kinds.includes(mutation.kind)) &&
      (when === undefined || when({ ...mutation, request })),
  )
}
