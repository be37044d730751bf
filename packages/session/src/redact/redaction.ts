import { equalJson } from '@retake/compare'
import type { Reply, Turn, WireError } from '@retake/providers'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type MessagePart,
  type ModelInput,
  type ReplyPart,
  type ToolCall,
  type ToolDefinition,
} from '@retake/trace'
import { type RedactRule, type RedactRules, readRedactRules } from './redact-rules.ts'
import { below, type Place, redactJsonText, redactText, redactValue } from './redact-value.ts'

/**
 * Takes texts out of a run before it is compared or written. What holds a run together (roles, types, ids, the names of
 * tools) stays. Nothing is changed in place.
 */
export interface Redaction {
  request(input: ModelInput): ModelInput
  reply(reply: Reply): Reply
  error(error: WireError): WireError
  toolInput(input: JsonValue): JsonValue
  result<T extends { result: JsonValue } | { error: string }>(result: T): T
}

/** @throws ConfigError for a rule that is none; the functions throw it for one that fails, or changes its own result */
export function createRedaction(options: readonly RedactRule[] | undefined): Redaction | undefined {
  if (!options || options.length === 0) return undefined
  const rules = readRedactRules(options)
  const root: Place = { path: [] }
  return {
    request: (input) => redactRequest(rules, input, root),
    reply({ turn, extras }) {
      const said = redactTurn(rules, turn, root)
      const { opaque, chunks, ...rest } = extras
      const blobs = opaque?.map((blob, n) => ({
        ...blob,
        value: redactValue(rules, blob.value, { path: ['opaque', n, 'value'] }),
      }))
      return {
        turn: said,
        // Lengths of pieces fit no other text than the one that came.
        extras: { ...rest, ...(chunks && equalJson(said, turn) && { chunks }), ...(blobs && { opaque: blobs }) },
      }
    },
    error: (error) => redactError(rules, error, root),
    toolInput: (input) => redactDocument(rules, input, below(rules, root, 'toolInput')),
    result: (result) => redactResult(rules, result, { ...root, own: [] }),
  }
}

function redactRequest(rules: RedactRules, input: ModelInput, root: Place): ModelInput {
  const at = (name: keyof ModelInput) => below(rules, root, name)
  const { systemPrompt, model, params } = input
  return {
    ...input,
    messages: input.messages.map((message, n) => redactMessage(rules, message, below(rules, at('messages'), n))),
    tools: input.tools.map((tool, n) => redactTool(rules, tool, below(rules, at('tools'), n))),
    ...(systemPrompt !== undefined && { systemPrompt: redactText(rules, systemPrompt, at('systemPrompt')) }),
    ...(model !== undefined && { model: redactText(rules, model, at('model')) }),
    ...(params !== undefined && { params: redactValue(rules, params, at('params')) as JsonObject }),
  }
}

function redactTool(rules: RedactRules, tool: ToolDefinition, place: Place): ToolDefinition {
  const at = (name: keyof ToolDefinition) => below(rules, place, name)
  const { description, inputSchema, options } = tool
  return {
    ...tool,
    description: redactText(rules, description, at('description')),
    ...(inputSchema !== undefined && { inputSchema: redactValue(rules, inputSchema, at('inputSchema')) }),
    ...(options !== undefined && { options: redactValue(rules, options, at('options')) as JsonObject }),
  }
}

function redactMessage(rules: RedactRules, message: Message, place: Place): Message {
  const { name, content } = message
  const inside = below(rules, place, 'content')
  return {
    ...message,
    ...(name !== undefined && { name: redactText(rules, name, below(rules, place, 'name')) }),
    content:
      typeof content === 'string'
        ? redactText(rules, content, inside)
        : content.map((part, n) => redactPart(rules, part, below(rules, inside, n))),
  }
}

function redactTurn(rules: RedactRules, turn: Turn, place: Place): Turn {
  const { stopText } = turn
  return {
    ...turn,
    parts: redactParts(rules, turn.parts, place),
    ...(stopText !== undefined && { stopText: redactText(rules, stopText, below(rules, place, 'stopText')) }),
  }
}

function redactParts(rules: RedactRules, parts: ReplyPart[], place: Place): ReplyPart[] {
  const inside = below(rules, place, 'parts')
  return parts.map((part, n) => redactPart(rules, part, below(rules, inside, n)))
}

function redactPart<T extends MessagePart | ReplyPart>(rules: RedactRules, part: T, place: Place): T {
  if (part.type === 'tool_use') {
    const { inputText: _, ...rest } = part
    return { ...rest, ...redactCall(rules, part, { ...place, own: [] }) } as T
  }
  if (part.type === 'tool_result') return { ...part, ...redactResult(rules, part, { ...place, own: [] }) }
  if (part.type === 'media') {
    const { options } = part
    return {
      ...part,
      ...('ref' in part && { ref: redactText(rules, part.ref, below(rules, place, 'ref')) }),
      ...(options && { options: redactValue(rules, options, below(rules, place, 'options')) }),
    }
  }
  return { ...part, text: redactText(rules, part.text, below(rules, place, 'text')) }
}

/** Without `inputText` the arguments are printed anew; so they are once something in them is hidden. */
function redactCall(rules: RedactRules, call: ToolCall, place: Place): Pick<ToolCall, 'toolInput' | 'inputText'> {
  const { inputText } = call
  const toolInput = redactValue(rules, call.toolInput, below(rules, place, 'toolInput'))
  if (inputText === undefined) return { toolInput }
  // Arguments that are no JSON are their own text.
  if (call.toolInput === inputText) return { toolInput, inputText: toolInput as string }
  const isSame = toolInput === call.toolInput && rules.text(inputText, [...place.path, 'inputText']) === inputText
  return isSame ? { toolInput, inputText } : { toolInput }
}

function redactResult<T extends { result: JsonValue } | { error: string }>(
  rules: RedactRules,
  result: T,
  place: Place,
): T {
  if ('error' in result) return { ...result, error: redactText(rules, result.error, below(rules, place, 'error')) }
  const inside = below(rules, place, 'result')
  return { ...result, result: redactDocument(rules, redactJsonText(rules, result.result, inside), inside) }
}

/** Over HTTP JSON is often sent as a text of its own: paths reach into the body too. */
function redactDocument(rules: RedactRules, value: JsonValue, place: Place): JsonValue {
  if (!isJsonObject(value) || typeof value.body !== 'string') return redactValue(rules, value, place)
  const body = redactJsonText(rules, value.body, below(rules, place, 'body'))
  return redactValue(rules, body === value.body ? value : { ...value, body }, place)
}

function redactError(rules: RedactRules, error: WireError, place: Place): WireError {
  const at = (name: keyof WireError) => below(rules, place, name)
  const { code, param, parts, chunks, error: body, ...rest } = error
  const said = parts && redactParts(rules, parts, place)
  return {
    ...rest,
    message: redactText(rules, error.message, at('message')),
    ...(code !== undefined && { code: redactText(rules, code, at('code')) }),
    ...(param !== undefined && { param: redactText(rules, param, at('param')) }),
    ...(body !== undefined && { error: redactValue(rules, body, at('error')) }),
    ...(said && { parts: said }),
    ...(chunks && equalJson(said, parts) && { chunks }),
  }
}
