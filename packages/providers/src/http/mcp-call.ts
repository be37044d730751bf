import { isJsonObject, type JsonObject, type JsonValue, UnsupportedError } from '@retake/trace'
import { createSseReader } from '../sse.ts'
import { jsonAnswer, parseBytes } from './endpoint-call.ts'
import type { HttpAnswer, HttpAsked, HttpCall, StoredResult } from './http-call.ts'
import { httpName } from './http-name.ts'
import { statusPhrase } from './status-phrase.ts'
import { fromStoredStatus, toStoredStatus } from './stored-status.ts'

const session = 'mcp-session-id'

/**
 * A request of an MCP client over streamable HTTP (modelcontextprotocol.io, transports): JSON-RPC in the body, and the
 * will to read the answer as JSON or as a stream. Undefined for any other.
 * @throws UnsupportedError for a batch, and for the answer to a request of the server
 */
export function toMcpCall(request: HttpAsked): HttpCall | undefined {
  const body = request.method === 'POST' ? parseBytes(request.bytes) : undefined
  if (!isMcp(request)) {
    if (body !== undefined && isOlderTransport(body)) throw refused('messages over HTTP+SSE, the older transport')
    return undefined
  }
  if (Array.isArray(body) && body.some(isRpc)) throw refused('a batch of messages')
  if (!isJsonObject(body) || !isRpc(body)) return undefined
  const { method, params, id } = body
  if (typeof method !== 'string') throw refused('an answer to the server')
  return { ...identityOf(method, isJsonObject(params) ? params : {}, request.url), ...answersOf(method, id ?? null) }
}

const hasHeader = ({ headers }: HttpAsked): boolean => headers.has(session) || headers.has('mcp-protocol-version')

/**
 * What a replay says to a message that leaves no step; undefined for all others. The client asks for a stream of what the
 * server has to say by itself: there is none, while recording neither, which every server may say.
 */
export function mcpControlAnswer(request: HttpAsked): HttpAnswer | undefined {
  const { method, headers } = request
  const only = (status: number) => ({
    status,
    statusText: statusPhrase(status),
    headers: {},
    bytes: new Uint8Array(),
  })
  if (method === 'GET' && hasHeader(request) && headers.get('accept')?.includes('text/event-stream')) return only(405)
  if (method === 'DELETE' && headers.has(session)) return only(200)
  const body = isMcp(request) ? parseBytes(request.bytes) : undefined
  const isNotification = isJsonObject(body) && isRpc(body) && typeof body.method === 'string' && body.id === undefined
  return isNotification ? only(202) : undefined
}

const isMcp = ({ method, headers }: HttpAsked): boolean => {
  const accept = headers.get('accept') ?? ''
  return method === 'POST' && accept.includes('application/json') && accept.includes('text/event-stream')
}

/** Its messages go out like this, and are answered on a stream that was opened before. */
const isOlderTransport = (body: JsonValue): boolean =>
  isJsonObject(body) &&
  isRpc(body) &&
  body.method === 'initialize' &&
  isJsonObject(body.params) &&
  typeof body.params.protocolVersion === 'string'

const isRpc = (value: JsonValue): boolean => isJsonObject(value) && value.jsonrpc === '2.0'

/** Tools are under their own name; what only sets the connection up is a request like others. */
function identityOf(method: string, params: JsonObject, { host, pathname, origin }: URL) {
  const { _meta, ...rest } = params
  if (method === 'tools/call' && typeof rest.name === 'string') {
    return { origin: 'mcp', toolName: rest.name, toolInput: rest.arguments ?? {} } as const
  }
  if (method === 'tools/list') {
    return { origin: 'mcp', toolName: method, toolInput: { server: host + pathname, ...rest } } as const
  }
  // Versions and abilities of the client's SDK are none of the agent's.
  const asked = method === 'initialize' ? {} : rest
  const toolInput = { method, url: origin + pathname, ...(Object.keys(asked).length > 0 && { params: asked }) }
  return { origin: 'http', toolName: httpName(toolInput), toolInput } as const
}

function answersOf(method: string, id: JsonValue): Pick<HttpCall, 'toResult' | 'toAnswer'> {
  const isSetUp = method === 'initialize'
  return {
    toResult(answer) {
      if (answer.status >= 400) return toStoredStatus(answer)
      const message = messagesOf(answer).find((one) => one.id === id && one.method === undefined)
      if (!message) return unanswered(answer)
      if (isJsonObject(message.error)) return toStoredRpcError(message.error)
      const result = message.result ?? null
      return { result: isSetUp ? { answer: result, ...(answer.headers[session] && { session: true }) } : result }
    },
    toAnswer(stored) {
      if ('error' in stored) return fromStoredRpcError(stored, id) ?? fromStoredStatus(stored)
      const { result } = stored
      if (!isSetUp || !isJsonObject(result)) return jsonAnswer({ jsonrpc: '2.0', id, result })
      return jsonAnswer(
        { jsonrpc: '2.0', id, result: result.answer ?? null },
        result.session === true ? { [session]: 'retake' } : {},
      )
    },
  }
}

/** @throws UnsupportedError for a question of the server, which a replay could not ask */
function messagesOf({ headers, bytes }: HttpAnswer): JsonObject[] {
  const isStream = headers['content-type']?.startsWith('text/event-stream')
  const documents = isStream ? eventsOf(bytes) : [parseBytes(bytes) ?? null]
  const messages = documents.flat().filter(isJsonObject)
  const question = messages.find(({ method, id }) => typeof method === 'string' && id !== undefined)
  if (question) throw refused(`a request of the server (${question.method})`)
  return messages
}

function eventsOf(bytes: Uint8Array): JsonValue[] {
  const documents: JsonValue[] = []
  const reader = createSseReader(({ data }) => {
    if (data !== '') documents.push(JSON.parse(data) as JsonValue)
  })
  reader.push(Buffer.from(bytes).toString())
  return documents
}

function unanswered({ end }: HttpAnswer): StoredResult {
  if (end === 'aborted') return { error: 'the client hung up', errorName: 'aborted' }
  if (end === 'cut') return { error: 'other side closed', errorName: 'UND_ERR_SOCKET' }
  throw refused('an answer without the message that was asked for')
}

const rpcError = /^JSON-RPC (-?\d+)( with data)?$/

const toStoredRpcError = ({ code, message, data }: JsonObject): StoredResult =>
  data === undefined
    ? { error: String(message), errorName: `JSON-RPC ${code}` }
    : { error: JSON.stringify({ message, data }), errorName: `JSON-RPC ${code} with data` }

function fromStoredRpcError({ error, errorName = '' }: { error: string; errorName?: string }, id: JsonValue) {
  const [, code, withData] = rpcError.exec(errorName) ?? []
  if (code === undefined) return undefined
  const rest = withData ? (JSON.parse(error) as JsonObject) : { message: error }
  return jsonAnswer({ jsonrpc: '2.0', id, error: { code: Number(code), ...rest } })
}

const refused = (what: string): UnsupportedError =>
  new UnsupportedError(
    `an MCP client and its server exchanged ${what}, which cannot be recorded\n` +
      '  Wrap the tools of the server with `cassette.tools()`.',
    { name: 'MCP beyond request and answer', what },
  )
