import type { HttpCall } from './http-call.ts'
import type { HttpRequest } from './http-request.ts'
import { toPlainCall } from './plain-call.ts'

/** What a request that is for no model is in the trace. */
export const toHttpCall = (request: HttpRequest): Promise<HttpCall> => toPlainCall(request)
