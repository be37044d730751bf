import { readAnthropic, readAnthropicStream, readInvokeStream } from './anthropic.ts'
import { readChat, readChatStream } from './chat.ts'
import { readConverse, readConverseStream } from './converse.ts'
import { readGateway, readGatewayStream } from './gateway.ts'
import { readGemini, readGeminiStream } from './gemini.ts'
import { readOllama, readOllamaStream } from './ollama.ts'
import { readResponses, readResponsesStream } from './responses.ts'
import { parseValue, readSaidError, type Said, type SaidInBody, saysNothing, UnreadableError } from './said.ts'

/** An answer as a plain HTTP client has it. */
export interface HttpAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  /** Frames of AWS: one character a byte. */
  body: string
  /** The connection broke before the body was complete. */
  broken?: boolean
}

interface Readers {
  path: RegExp
  /** A stream that neither its type nor its first bytes tell. */
  isStream?(text: string): boolean
  json(body: unknown): SaidInBody
  stream(text: string): SaidInBody
}

const readers: Readers[] = [
  { path: /\/chat\/completions$/, json: readChat, stream: readChatStream },
  { path: /\/responses$/, json: readResponses, stream: readResponsesStream },
  { path: /\/v1\/messages$|:(r|streamR)awPredict$/, json: readAnthropic, stream: readAnthropicStream },
  { path: /\/model\/[^/]+\/invoke(-with-response-stream)?$/, json: readAnthropic, stream: readInvokeStream },
  { path: /:(generateContent|streamGenerateContent)$/, json: readGemini, stream: readGeminiStream },
  // No conversation: all that they answer is compared member by member.
  {
    path: /\/(embeddings|embed|moderations|rerank)$|:(embedContent|batchEmbedContents)$/,
    json: () => saysNothing(true),
    stream: () => saysNothing(true),
  },
  { path: /\/ai\/language-model$/, json: readGateway, stream: readGatewayStream },
  { path: /\/api\/chat$/, json: readOllama, stream: readOllamaStream, isStream: (text) => text.trim().includes('\n') },
  { path: /\/model\/[^/]+\/converse(-stream)?$/, json: readConverse, stream: readConverseStream },
]

const isStream = ({ headers, body }: HttpAnswer): boolean =>
  /event-?stream/.test(headers['content-type'] ?? '') || /^\uFEFF?((data|event|id|retry|):|\[)/.test(body.trimStart())

const readFailure = (status: number, body: string): Said => {
  const value = parseValue(body)
  const error = value === undefined ? { message: body.trim() || null, type: null, code: null } : readSaidError(value)
  const kind = value === undefined ? (body.trim() === '' ? 'empty' : 'text') : 'json'
  return { ...saysNothing(true), status, body: kind, error }
}

/** @throws UnreadableError for a body that is not what the endpoint of `url` answers with */
export const readSaid = (url: string, answer: HttpAnswer): Said => {
  const { pathname } = new URL(url)
  const reader = readers.find(({ path }) => path.test(pathname))
  if (reader === undefined) throw new UnreadableError(`no reader for ${pathname}`)
  if (answer.status >= 400) return readFailure(answer.status, answer.body)
  if (isStream(answer) || reader.isStream?.(answer.body)) {
    const said = reader.stream(answer.body)
    const body = /^\uFEFF?\s*\[/.test(answer.body) ? 'array' : isStream(answer) ? 'events' : 'lines'
    return { ...said, status: answer.status, body, complete: said.complete || said.error !== null }
  }
  const body = parseValue(answer.body)
  if (body === undefined) throw new UnreadableError('the body is no JSON')
  return { ...reader.json(body), status: answer.status, body: 'json', complete: answer.broken !== true }
}
