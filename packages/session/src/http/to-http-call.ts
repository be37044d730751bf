import { toEndpointCall } from './endpoint-call.ts'
import type { HttpCall } from './http-call.ts'
import type { HttpRequest } from './http-request.ts'
import { toMcpCall } from './mcp-call.ts'
import { toPlainCall } from './plain-call.ts'

/**
 * What a request that is for no model is in the trace.
 * @throws UnsupportedError for what cannot be recorded
 */
export const toHttpCall = async (request: HttpRequest): Promise<HttpCall> =>
  request.endpoint ? toEndpointCall(request.endpoint, request) : (toMcpCall(request) ?? toPlainCall(request))
