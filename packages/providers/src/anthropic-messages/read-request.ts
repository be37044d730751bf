import { isJsonObject, type JsonValue, type Message, type ModelInput } from '@retake/trace'
import { createCallNames } from '../call-names.ts'
import { createKnown, isNothing, toList, toObject } from '../json-members.ts'
import { joinTexts, keepOthers, toAssistantParts } from '../message-content.ts'
import { readParams, toParams } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'
import type { WireRequest } from '../wire.ts'
import { readBetas, requestFields } from './fields.ts'
import { type BlockContext, readParts } from './read-parts.ts'
import { readTools } from './read-tools.ts'

/** @throws UnsupportedError naming the field */
export const readRequest = ({ headers, body }: WireRequest): ModelInput => {
  if (isContinued(body.thread)) throw unsupported('history from outside the run', 'thread')
  const read = readParams(body, requestFields)
  const betas = readBetas(headers['anthropic-beta'])
  if (betas.length > 0) read.params.betas = betas
  if (!Array.isArray(body.tools) && !isNothing(body.tools)) read.other.set('tools', body.tools ?? null)
  const context: BlockContext = { other: read.other, names: createCallNames() }
  const systemPrompt = readSystem(body.system, context)
  const messages = toList(body.messages).flatMap((message, index) => readMessage(message, index, context))
  return {
    messages,
    tools: readTools(toList(body.tools)),
    ...(systemPrompt !== '' && { systemPrompt }),
    ...(typeof body.model === 'string' && { model: body.model }),
    ...toParams(read),
  }
}

/** A thread that begins here is sent with its whole history; one that goes on is not. */
export const isContinued = (thread: JsonValue | undefined): boolean => toObject(thread).type === 'continue'

const readSystem = (system: JsonValue | undefined, context: BlockContext): string => {
  const parts = readParts(system, 'system', context)
  if (system !== undefined && parts.some(({ type }) => type !== 'text')) context.other.set('system', system)
  return joinTexts(parts)
}

const ofAnyMessage = ['role', 'content', 'cache_control']
const messageMembers = createKnown(ofAnyMessage)
/** SDKs hand the whole reply back as a message. */
const replyMembers = createKnown([
  ...ofAnyMessage,
  'id',
  'type',
  'model',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
  'container',
  'context_management',
  'diagnostics',
])

const readMessage = (message: JsonValue, index: number, context: BlockContext): Message[] => {
  const path = `messages[${index}]`
  const role = isJsonObject(message) ? message.role : undefined
  if (!isJsonObject(message) || (role !== 'user' && role !== 'assistant' && role !== 'system')) {
    context.other.set(path, message)
    return []
  }
  keepOthers(message, role === 'assistant' ? replyMembers : messageMembers, path, context.other)
  if (typeof message.content === 'string') return [{ role, content: message.content }]
  if (role === 'assistant') context.names.begin()
  const parts = readParts(message.content, `${path}.content`, context)
  return [{ role, content: role === 'assistant' ? toAssistantParts(parts) : parts }]
}
