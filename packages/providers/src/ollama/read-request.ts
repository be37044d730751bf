import type { ModelInput } from '@retake/trace'
import { isNothing, toList } from '../json-members.ts'
import { readParams, toParams } from '../request-fields.ts'
import type { WireRequest } from '../wire.ts'
import { flatten, requestFields } from './fields.ts'
import { readMessages } from './read-messages.ts'
import { readTools } from './read-tools.ts'

export const readRequest = ({ body }: WireRequest): ModelInput => {
  const read = readParams(flatten(body), requestFields)
  const { other } = read
  if (!Array.isArray(body.tools) && !isNothing(body.tools)) other.set('tools', body.tools ?? null)
  const { systemPrompt, messages } = readMessages(toList(body.messages), other)
  return {
    messages,
    tools: readTools(toList(body.tools), other),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(typeof body.model === 'string' && { model: body.model }),
    ...toParams(read),
  }
}
