import { isJsonObject, type JsonObject, type JsonValue, type Message, type MessagePart } from '@retake/trace'
import { type CallNames, createCallNames } from '../call-names.ts'
import { ofType, toText } from '../json-members.ts'
import { keepOthers, toAssistantParts, toContent, toResult } from '../message-content.ts'
import type { Unplaced } from '../request-fields.ts'
import { readArguments } from '../tool-arguments.ts'
import { unsupported } from '../unsupported.ts'
import { echoedMembers } from './fields.ts'
import { isReference, refuseHostedItem, toToolName } from './items.ts'
import { readParts } from './read-parts.ts'

export interface ReadHistory {
  /** Texts of the leading system and developer messages. */
  instructions: string[]
  messages: Message[]
}

/**
 * The items of a history. What an assistant said and called in a row is one message, results in a row are another;
 * thinking is dropped.
 * @throws UnsupportedError for items of hosted tools, and for references to what the provider holds
 */
export const readMessages = (input: JsonValue | undefined, other: Unplaced): ReadHistory => {
  if (typeof input === 'string') return { instructions: [], messages: [{ role: 'user', content: input }] }
  const instructions: string[] = []
  const messages: Message[] = []
  const names = createCallNames()
  /** The parts of a message that later items go on with. */
  let open: { role: 'assistant' | 'user'; parts: MessagePart[] } | undefined

  const add = (role: 'assistant' | 'user', parts: MessagePart[]): void => {
    if (open?.role !== role) {
      close()
      open = { role, parts: [] }
      if (role === 'assistant') names.begin()
    }
    open.parts.push(...parts)
  }
  const close = (): void => {
    if (open?.role === 'user') messages.push({ role: 'user', content: open.parts })
    else if (open) messages.push({ role: 'assistant', content: toContent(toAssistantParts(open.parts)) })
    open = undefined
  }

  for (const [index, item] of (Array.isArray(input) ? input : []).entries()) {
    const path = `input[${index}]`
    const kind = isJsonObject(item) ? kindOf(item, path) : undefined
    if (!isJsonObject(item) || kind === undefined) {
      if (isJsonObject(item)) refuseHostedItem(item, path)
      other.set(path, item)
    } else if (kind === 'call') {
      const part = readCall(item, path, other)
      add('assistant', [part])
      names.add(part.toolCallId, part.toolName)
    } else if (kind === 'result') {
      add('user', [readResult(item, path, names, other)])
    } else if (kind !== 'thinking') {
      const parts = readParts(item.content, `${path}.content`, other)
      keepOthers(item, ['type', 'role', 'content', ...echoedMembers], path, other)
      if (kind === 'assistant') {
        add('assistant', parts)
        continue
      }
      close()
      const content = toContent(parts)
      if (kind === 'user') messages.push({ role: 'user', content })
      else if (messages.length === 0 && typeof content === 'string') instructions.push(content)
      else messages.push({ role: 'system', content })
    }
  }
  close()
  return { instructions, messages }
}

type Kind = 'user' | 'assistant' | 'system' | 'call' | 'result' | 'thinking'

const kinds: Readonly<Record<string, Kind>> = {
  function_call: 'call',
  custom_tool_call: 'call',
  function_call_output: 'result',
  custom_tool_call_output: 'result',
  reasoning: 'thinking',
}

const roles: Readonly<Record<string, Kind>> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
}

/** Undefined for an item that this wire does not know. @throws UnsupportedError for a reference */
const kindOf = (item: JsonObject, path: string): Kind | undefined => {
  if (isReference(item)) throw unsupported('history from outside the run', `${path} item_reference`)
  const { type = null } = item
  if (type !== null && typeof type !== 'string') return undefined
  return type === null || type === '' || type === 'message' ? roles[toText(item.role)] : kinds[type]
}

const text = ['string'] as const

const readCall = (item: JsonObject, path: string, other: Unplaced): Extract<MessagePart, { type: 'tool_use' }> => {
  refuseHostedItem(item, path)
  const isCustom = item.type === 'custom_tool_call'
  const typed = ofType(item, { name: text, namespace: text, call_id: text, [isCustom ? 'input' : 'arguments']: text })
  keepOthers(item, ['type', 'caller', 'async', ...typed, ...echoedMembers], path, other)
  const call = { type: 'tool_use', toolCallId: toText(item.call_id), toolName: toToolName(item) } as const
  if (isCustom) return { ...call, toolInput: toText(item.input), kind: 'custom' }
  return { ...call, ...readArguments(toText(item.arguments)) }
}

const readResult = (item: JsonObject, path: string, names: CallNames, other: Unplaced): MessagePart => {
  refuseHostedItem(item, path)
  const toolCallId = toText(item.call_id)
  const parts = readParts(item.output, `${path}.output`, other)
  const told = toToolName(item) || undefined
  const toolName = names.take(toolCallId, told) ?? told ?? 'unknown'
  // They repeat the name of the call, where they are given at all.
  const repeated = told === toolName ? ['name', 'namespace'] : []
  const known = ['type', 'output', 'caller', ...repeated, ...ofType(item, { call_id: text }), ...echoedMembers]
  keepOthers(item, known, path, other)
  return { type: 'tool_result', toolCallId, toolName, result: toResult(parts) }
}
