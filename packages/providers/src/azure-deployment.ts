import { decodeSegment } from './decode-segment.ts'
import type { Unplaced } from './request-fields.ts'

/** The model may stand in the path alone, as in Azure's `/openai/deployments/NAME/chat/completions`. */
export const deploymentOf = (url: URL): string | undefined => {
  const name = /\/deployments\/([^/]+)\/(chat\/completions|responses)$/.exec(url.pathname)?.[1]
  return name === undefined ? undefined : decodeSegment(name)
}

/** Azure asks the deployment of the path whatever the body calls the model, in the version of the API that the query names. */
export const readModel = (url: URL, named: string, other: Unplaced): string | undefined => {
  const deployment = deploymentOf(url)
  if (named !== '' && deployment !== undefined && deployment !== named) other.set('deployment', deployment)
  const version = url.searchParams.get('api-version')
  if (version !== null) other.set('api-version', version)
  return named || deployment
}
