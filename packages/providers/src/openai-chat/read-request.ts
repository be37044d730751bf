import type { ModelInput } from '@retake/trace'
import { readModel } from '../azure-deployment.ts'
import { isNothing, toList, toText } from '../json-members.ts'
import { readParams, toParams } from '../request-fields.ts'
import type { WireRequest } from '../wire.ts'
import { requestFields } from './fields.ts'
import { readMessages } from './read-messages.ts'
import { readTools } from './read-tools.ts'

/** @throws UnsupportedError naming the field */
export const readRequest = ({ url, body }: WireRequest): ModelInput => {
  const read = readParams(body, requestFields)
  const { other } = read
  if (!Array.isArray(body.tools) && !isNothing(body.tools)) other.set('tools', body.tools ?? null)
  const tools = readTools(toList(body.tools), other)
  const { systemPrompt, messages } = readMessages(toList(body.messages), other)
  const model = readModel(new URL(url), toText(body.model), other)
  return {
    messages,
    tools,
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(model !== undefined && { model }),
    ...toParams(read),
  }
}
