import type { JsonValue, ModelInput } from '@retake/trace'
import { isNothing, toList, toText } from '../json-members.ts'
import { joinTexts, keepOthers } from '../message-content.ts'
import { readParams, toParams, type Unplaced } from '../request-fields.ts'
import type { WireRequest } from '../wire.ts'
import { flatten, requestFields } from './fields.ts'
import { readContents } from './read-messages.ts'
import { readParts } from './read-parts.ts'
import { readTools } from './read-tools.ts'
import { modelOf } from './route.ts'

/** @throws UnsupportedError naming the field */
export const readRequest = ({ url, body }: WireRequest): ModelInput => {
  const fields = flatten(body)
  const read = readParams(fields, requestFields)
  const { other } = read
  if (!Array.isArray(fields.tools) && !isNothing(fields.tools)) other.set('tools', fields.tools ?? null)
  const tools = readTools(toList(fields.tools), other)
  const systemPrompt = readSystem(fields.systemInstruction, other)
  const messages = readContents(fields.contents, other)
  const model = modelOf(url)
  // Some clients repeat it in the body.
  const named = toText(fields.model)
  if (named !== '' && named !== model && !named.endsWith(`/${model}`)) other.set('model', named)
  return {
    messages,
    tools,
    ...(systemPrompt !== '' && { systemPrompt }),
    ...(model !== undefined && { model }),
    ...toParams(read),
  }
}

/** Its role says nothing; clients write `user`, `system` or none. */
const readSystem = (instruction: JsonValue | undefined, other: Unplaced): string => {
  if (instruction === undefined || instruction === null) return ''
  const content = typeof instruction === 'object' && !Array.isArray(instruction) ? instruction : undefined
  if (content) keepOthers(content, ['role', 'parts'], 'systemInstruction', other)
  const parts = readParts(content ? content.parts : instruction, 'systemInstruction', { other })
  if (parts.some(({ type }) => type !== 'text')) other.set('systemInstruction', instruction)
  return joinTexts(parts)
}
