import { toArgumentText } from '@retake/providers'
import type {
  JsonObject,
  JsonValue,
  MediaPart,
  Message,
  MessagePart,
  ModelInput,
  ToolDefinition,
  ToolResultPart,
  ToolUsePart,
} from '@retake/trace'

/** Neutral names of request controls → names of a Chat Completions request. */
const names: Readonly<Record<string, string>> = {
  maxTokens: 'max_completion_tokens',
  topP: 'top_p',
  topK: 'top_k',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
  responseFormat: 'response_format',
  reasoningEffort: 'reasoning_effort',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  logitBias: 'logit_bias',
  topLogprobs: 'top_logprobs',
}

/** A request as the body of a Chat Completions request; `findChatLosses` tells what of it that body does not say. */
export function toChatRequest({ model, systemPrompt, messages, tools, params = {} }: ModelInput): JsonObject {
  const { other, ...controls } = params
  return {
    ...(model !== undefined && { model }),
    messages: [
      ...(systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }]),
      ...messages.flatMap(toChatMessages),
    ],
    ...(tools.length > 0 && { tools: tools.map(toChatTool) }),
    ...Object.fromEntries(Object.entries(controls).map(([name, value]) => [names[name] ?? name, value])),
    ...topLevel(other),
  }
}

/** Unknown fields are kept by their path; those deeper down have no place to go back to. */
const topLevel = (other: JsonValue | undefined): JsonObject =>
  Object.fromEntries(Object.entries((other ?? {}) as JsonObject).filter(([path]) => /^\w+$/.test(path)))

function toChatMessages({ role, content, name }: Message): JsonObject[] {
  const named = name === undefined ? {} : { name }
  if (typeof content === 'string') return [{ role, content, ...named }]
  const results = content.filter((part): part is ToolResultPart => part.type === 'tool_result')
  const others = content.filter((part) => part.type !== 'tool_result')
  const rest = others.length === 0 ? [] : [role === 'assistant' ? toAssistant(others) : toUser(role, others)]
  return [...results.map(toToolMessage), ...rest.map((message) => ({ ...message, ...named }))]
}

const toToolMessage = (part: ToolResultPart): JsonObject => ({
  role: 'tool',
  tool_call_id: part.toolCallId,
  content: 'error' in part ? part.error : typeof part.result === 'string' ? part.result : JSON.stringify(part.result),
})

const toUser = (role: string, parts: readonly MessagePart[]): JsonObject => ({
  role,
  content: parts.map((part) => {
    if (part.type === 'media') return toMediaPart(part)
    return { type: 'text', text: 'text' in part ? part.text : '' }
  }),
})

/** Bytes are not kept in a trace; a text says what stood there. */
const toMediaPart = (part: MediaPart): JsonObject =>
  'ref' in part && part.mediaType.startsWith('image/')
    ? { type: 'image_url', image_url: { url: part.ref, ...part.options } }
    : { type: 'text', text: `[${part.mediaType} ${'ref' in part ? part.ref : `sha256 ${part.sha256}`}]` }

function toAssistant(parts: readonly MessagePart[]): JsonObject {
  const texts = parts.filter((part) => part.type === 'text').map(({ text }) => text)
  const refusals = parts.filter((part) => part.type === 'refusal').map(({ text }) => text)
  const calls = parts.filter((part): part is ToolUsePart => part.type === 'tool_use')
  return {
    role: 'assistant',
    content: texts.length > 0 ? texts.join('\n\n') : null,
    ...(refusals.length > 0 && { refusal: refusals.join('\n\n') }),
    ...(calls.length > 0 && { tool_calls: calls.map(toChatCall) }),
  }
}

const toChatCall = (call: ToolUsePart): JsonObject =>
  call.kind === 'custom'
    ? { id: call.toolCallId, type: 'custom', custom: { name: call.toolName, input: call.toolInput } }
    : { id: call.toolCallId, type: 'function', function: { name: call.toolName, arguments: toArgumentText(call) } }

function toChatTool({ name, description, inputSchema, kind, options }: ToolDefinition): JsonObject {
  const definition = { name, ...(description !== '' && { description }), ...options }
  if (kind === 'custom') return { type: 'custom', custom: definition }
  return {
    type: 'function',
    function: { ...definition, ...(inputSchema !== undefined && { parameters: inputSchema }) },
  }
}
