import { isJsonObject, type JsonValue, type Message, type ModelInput } from '@retake/trace'
import { createCallNames } from '../call-names.ts'
import { isNothing, toList } from '../json-members.ts'
import { joinTexts, keepOthers, toAssistantParts, toContent } from '../message-content.ts'
import { readParams, toParams } from '../request-fields.ts'
import type { WireRequest } from '../wire.ts'
import { flatten, requestFields } from './fields.ts'
import { type BlockContext, readParts } from './read-parts.ts'
import { readTools } from './read-tools.ts'
import { modelOf } from './route.ts'

/** @throws UnsupportedError naming the field */
export const readRequest = ({ url, body }: WireRequest): ModelInput => {
  const fields = flatten(body)
  const read = readParams(fields, requestFields)
  const context: BlockContext = { other: read.other, names: createCallNames() }
  const tools = fields['toolConfig.tools']
  if (!Array.isArray(tools) && !isNothing(tools)) read.other.set('toolConfig.tools', tools ?? null)
  const systemPrompt = readSystem(body.system, context)
  const messages = toList(body.messages).flatMap((message, index) => readMessage(message, index, context))
  const model = modelOf(url)
  return {
    messages,
    tools: readTools(toList(tools), read.other),
    ...(systemPrompt !== '' && { systemPrompt }),
    ...(model !== undefined && { model }),
    ...toParams(read),
  }
}

const readSystem = (system: JsonValue | undefined, context: BlockContext): string => {
  const parts = readParts(system, 'system', context)
  if (parts.some(({ type }) => type !== 'text')) context.other.set('system', system ?? null)
  return joinTexts(parts)
}

const readMessage = (message: JsonValue, index: number, context: BlockContext): Message[] => {
  const path = `messages[${index}]`
  const role = isJsonObject(message) ? message.role : undefined
  if (!isJsonObject(message) || (role !== 'user' && role !== 'assistant' && role !== 'system')) {
    context.other.set(path, message)
    return []
  }
  keepOthers(message, ['role', 'content'], path, context.other)
  if (role === 'assistant') context.names.begin()
  const parts = readParts(message.content, `${path}.content`, context)
  return [{ role, content: toContent(role === 'assistant' ? toAssistantParts(parts) : parts) }]
}
