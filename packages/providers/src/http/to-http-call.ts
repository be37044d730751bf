import { toEndpointCall } from './endpoint-call.ts'
import type { HttpAsked, HttpCall } from './http-call.ts'
import { toMcpCall } from './mcp-call.ts'
import { toPlainCall } from './plain-call.ts'

/**
 * What a request that is for no model is in the trace.
 * @throws UnsupportedError for what cannot be recorded
 */
export const toHttpCall = async (request: HttpAsked): Promise<HttpCall> =>
  request.endpoint ? toEndpointCall(request.endpoint, request) : (toMcpCall(request) ?? toPlainCall(request))
