import { toEndpointCall } from './endpoint-call.ts'
import type { HttpAsked, HttpCall } from './http-call.ts'
import { toMcpCall } from './mcp-call.ts'
import { toPlainCall } from './plain-call.ts'
import { readForm, type StoredForm } from './stored-form.ts'

/**
 * What a request that is for no model is in the trace.
 * @throws UnsupportedError for what cannot be recorded
 */
export const toHttpCall = async (request: HttpAsked): Promise<HttpCall> =>
  toCall(request, await readForm(request.bytes, request.headers.get('content-type')))

/** The same at once, for a request that is no form. */
export const toHttpCallWithoutForms = (request: HttpAsked): HttpCall => toCall(request)

const toCall = (request: HttpAsked, form?: StoredForm): HttpCall =>
  request.endpoint ? toEndpointCall(request.endpoint, request) : (toMcpCall(request) ?? toPlainCall(request, form))
