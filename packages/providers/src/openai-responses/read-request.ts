import type { ModelInput } from '@retake/trace'
import { readModel } from '../azure-deployment.ts'
import { isNothing, toList, toText } from '../json-members.ts'
import { readParams, toParams } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'
import type { WireRequest } from '../wire.ts'
import { requestFields } from './fields.ts'
import { readMessages } from './read-messages.ts'
import { readTools } from './read-tools.ts'

/** @throws UnsupportedError naming the field */
export const readRequest = ({ url, body }: WireRequest): ModelInput => {
  if (!isNothing(body.previous_response_id)) throw unsupported('history from outside the run', 'previous_response_id')
  const read = readParams(body, requestFields)
  const { other } = read
  const { tools, instructions = null } = body
  if (!Array.isArray(tools) && !isNothing(tools)) other.set('tools', tools ?? null)
  if (typeof instructions !== 'string' && !isNothing(instructions)) other.set('instructions', instructions)
  const definitions = readTools(toList(tools), other)
  const { instructions: leading, messages } = readMessages(body.input, other)
  const systemPrompt = [toText(instructions), ...leading].filter((text) => text !== '').join('\n\n')
  const model = readModel(new URL(url), toText(body.model), other)
  return {
    messages,
    tools: definitions,
    ...(systemPrompt !== '' && { systemPrompt }),
    ...(model !== undefined && { model }),
    ...toParams(read),
  }
}
