import { isJsonObject, type JsonValue, type Message, type ModelInput } from '@retake/trace'
import { createCallNames } from '../call-names.ts'
import { isNothing, toList } from '../json-members.ts'
import { keepOthers, toAssistantParts, toContent } from '../message-content.ts'
import { readParams, toParams, type Unplaced } from '../request-fields.ts'
import type { WireRequest } from '../wire.ts'
import { requestFields, withoutCacheMarks } from './fields.ts'
import { type PartContext, readParts } from './read-parts.ts'
import { readTools } from './read-tools.ts'
import { modelOf } from './route.ts'

/** @throws UnsupportedError naming the field */
export const readRequest = (request: WireRequest): ModelInput => {
  const { body } = request
  const read = readParams(body, requestFields)
  if (!Array.isArray(body.tools) && !isNothing(body.tools)) read.other.set('tools', body.tools ?? null)
  const instructions: string[] = []
  const messages: Message[] = []
  const context: PartContext = { other: read.other, names: createCallNames() }
  for (const [index, given] of toList(body.prompt).entries()) {
    const message = readMessage(given, `prompt[${index}]`, context)
    if (!message) continue
    if (message.role === 'system' && messages.length === 0 && typeof message.content === 'string') {
      instructions.push(message.content)
    } else messages.push(message)
  }
  const systemPrompt = instructions.filter((text) => text !== '').join('\n\n')
  const model = modelOf(request)
  return {
    messages,
    tools: readTools(toList(body.tools), read.other),
    ...(systemPrompt !== '' && { systemPrompt }),
    ...(model !== undefined && { model }),
    ...toParams(read),
  }
}

const roles: Readonly<Record<string, Message['role']>> = {
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
}

/** What a provider needs to go on with its own reply is not compared; other options for it are. */
const readMessage = (message: JsonValue, path: string, context: PartContext): Message | undefined => {
  const { other, names } = context
  const role = isJsonObject(message) && typeof message.role === 'string' ? roles[message.role] : undefined
  if (!isJsonObject(message) || !role) {
    other.set(path, message)
    return undefined
  }
  if (role === 'assistant') names.begin()
  keepOthers(message, ['role', 'content', 'providerOptions'], path, other)
  if (role !== 'assistant') keepOptions(message, path, other)
  const parts = readParts(message.content, `${path}.content`, context)
  return { role, content: toContent(role === 'assistant' ? toAssistantParts(parts) : parts) }
}

const keepOptions = (
  { content, providerOptions }: { [name: string]: JsonValue },
  path: string,
  other: Unplaced,
): void => {
  const given: [string, JsonValue | undefined][] = [
    [path, providerOptions],
    ...toList(content).map((part, nth): [string, JsonValue | undefined] => [
      `${path}.content[${nth}]`,
      isJsonObject(part) ? part.providerOptions : undefined,
    ]),
  ]
  for (const [place, options] of given) {
    const rest = withoutCacheMarks(options)
    if (!isNothing(rest)) other.set(`${place}.providerOptions`, rest)
  }
}
