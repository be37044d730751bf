import type { ModelInput } from '@retake/trace'
import { isNothing, toList, toText } from '../json-members.ts'
import { readParams, toParams, type Unplaced } from '../request-fields.ts'
import type { WireRequest } from '../wire.ts'
import { requestFields } from './fields.ts'
import { readMessages } from './read-messages.ts'
import { readTools } from './read-tools.ts'
import { deploymentOf } from './route.ts'

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

/** Azure asks the deployment of the path whatever the body calls the model, in the version of the API that the query names. */
const readModel = (url: URL, named: string, other: Unplaced): string | undefined => {
  const deployment = deploymentOf(url)
  if (named !== '' && deployment !== undefined && deployment !== named) other.set('deployment', deployment)
  const version = url.searchParams.get('api-version')
  if (version !== null) other.set('api-version', version)
  return named || deployment
}
