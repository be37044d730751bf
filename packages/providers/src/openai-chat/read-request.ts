import type { ModelInput } from '@retake/trace'
import { toList, toText } from '../json-members.ts'
import { readParams, toParams } from '../request-fields.ts'
import type { WireRequest } from '../wire.ts'
import { requestFields } from './fields.ts'
import { readMessages } from './read-messages.ts'
import { readTools } from './read-tools.ts'
import { deploymentOf } from './route.ts'

/** @throws UnsupportedError naming the field */
export const readRequest = ({ url, body }: WireRequest): ModelInput => {
  const read = readParams(body, requestFields)
  const tools = readTools(toList(body.tools), read.other)
  const { systemPrompt, messages } = readMessages(toList(body.messages), read.other)
  const model = toText(body.model) || deploymentOf(new URL(url))
  return {
    messages,
    tools,
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(model !== undefined && { model }),
    ...toParams(read),
  }
}
