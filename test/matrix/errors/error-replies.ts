import { anthropicError, anthropicErrorEvent } from '../../support/fake-provider/anthropic.ts'
import { exceptionFrame } from '../../support/fake-provider/aws-frames.ts'
import { bedrockError } from '../../support/fake-provider/bedrock.ts'
import { chatError } from '../../support/fake-provider/chat.ts'
import { geminiError } from '../../support/fake-provider/gemini.ts'
import { ollamaError, ollamaErrorLine } from '../../support/fake-provider/ollama.ts'
import type { FakeReply, ReceivedRequest } from '../../support/fake-provider/reply.ts'

type Headers = Record<string, string>

/** What each provider says of a status, and of an error inside a stream. */
interface Vendor {
  fails(status: number, headers: Headers, retryDelay?: string): FakeReply
  /** The end of a stream that failed. */
  event: string | Uint8Array
}

const message = 'Something is wrong.'

const openaiTypes: Record<number, string> = {
  401: 'authentication_error',
  429: 'rate_limit_error',
  500: 'server_error',
  503: 'server_error',
  529: 'server_error',
}

const anthropicTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const googleNames: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const openaiWords = { message, type: 'server_error', param: null, code: 'server_error' }

const openai: Vendor = {
  fails: (status, headers) =>
    chatError(status, { message, type: openaiTypes[status] ?? 'invalid_request_error' }, headers),
  event: `data: ${JSON.stringify({ error: openaiWords })}\n\n`,
}

/** Names no parameter. */
const groq: Vendor = {
  fails: (status, headers) => ({
    status,
    headers,
    body: JSON.stringify({
      error: { message, type: openaiTypes[status] ?? 'invalid_request_error', code: 'groq_code' },
    }),
  }),
  event: openai.event,
}

const mistral: Vendor = {
  fails: (status, headers) => ({
    status,
    headers,
    body: JSON.stringify({ object: 'error', message, type: 'invalid_request_error', param: null, code: '3051' }),
  }),
  event: openai.event,
}

const responses: Vendor = {
  fails: openai.fails,
  event: `event: error\ndata: ${JSON.stringify({ ...openaiWords, type: 'error', sequence_number: 0 })}\n\n`,
}

const anthropic: Vendor = {
  fails: (status, headers) => anthropicError(status, anthropicTypes[status] ?? 'api_error', message, headers),
  event: anthropicErrorEvent('overloaded_error', 'Overloaded'),
}

/** Google tells the wait in the body: `7s`. */
const gemini: Vendor = {
  fails: (status, headers, retryDelay) => {
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }
    const reply = geminiError(status, googleNames[status] ?? 'UNKNOWN', message, retryDelay ? [info] : undefined)
    return { ...reply, headers }
  },
  event: `data: ${JSON.stringify({ error: { code: 503, message, status: 'UNAVAILABLE' } })}\r\n\r\n`,
}

const ollama: Vendor = { fails: (status) => ollamaError(status, message), event: ollamaErrorLine(message) }

const awsTypes: Record<number, string> = {
  400: 'ValidationException',
  401: 'UnrecognizedClientException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  409: 'ConflictException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
}

const bedrock: Vendor = {
  fails: (status) => bedrockError(status, awsTypes[status] ?? 'InternalServerException', message),
  event: exceptionFrame('modelStreamErrorException', message),
}

const vendorOf = ({ url, body }: ReceivedRequest): Vendor => {
  if (url.endsWith('/responses')) return responses
  if (url.includes('/messages')) return anthropic
  if (/enerateContent/.test(url)) return gemini
  if (url.endsWith('/api/chat')) return ollama
  if (/\/converse(-stream)?$/.test(url)) return bedrock
  if (body.model.startsWith('groq')) return groq
  return body.model.startsWith('mistral') ? mistral : openai
}

/** A status of 400 or more, in the words of the provider that is asked. */
export const failing =
  (status: number, headers: Headers = {}, { retryDelay }: { retryDelay?: string } = {}) =>
  (request: ReceivedRequest): FakeReply =>
    vendorOf(request).fails(status, headers, retryDelay)

/** `nth` is its place among the events. */
export const errorEvent = (request: ReceivedRequest, nth: number): string | Uint8Array => {
  const { event } = vendorOf(request)
  return typeof event === 'string' ? event.replace('"sequence_number":0', `"sequence_number":${nth}`) : event
}

/** The response object that failed, as the last event of a stream. */
export const failedResponse = (reply: FakeReply): string => {
  const created = /^data: (.*)$/m.exec(String(reply.chunks?.[0]))?.[1] ?? '{}'
  const { response } = JSON.parse(created)
  const error = { code: 'server_error', message }
  const event = {
    type: 'response.failed',
    response: { ...response, status: 'failed', error },
    sequence_number: reply.chunks?.length,
  }
  return `event: response.failed\ndata: ${JSON.stringify(event)}\n\n`
}
