import { type Reply, readAnswer, type WireError } from '@retake/providers'
import { isJsonObject, type JsonValue, type ModelInput, UnsupportedError } from '@retake/trace'
import { wireOf } from './wire-of.ts'

/** What was read, or which field keeps it from being read. */
export type ReadPart<T> = { read: T } | { missing: string }

export type Protocol = 'openai.chat' | 'openai.responses' | 'anthropic.messages'

/** The request in a body, where it has what the protocol requires. */
export function readRequestBody(protocol: Protocol, body: JsonValue | undefined): ReadPart<ModelInput> {
  const { wire, toRequest } = wireOf(protocol)
  if (!isJsonObject(body)) return { missing: 'the body of the request' }
  if (!wire.matchesBody(body, new URL(toRequest(body).url))) {
    const list = protocol === 'openai.responses' ? 'input' : 'messages'
    return { missing: typeof body.model === 'string' ? `${list} of the request` : 'model of the request' }
  }
  return orMissing(() => wire.readRequest(toRequest(body)))
}

/** The reply in a body, or the failure that it stands for. */
export function readReplyBody(protocol: Protocol, body: JsonValue): ReadPart<{ reply: Reply } | { error: WireError }> {
  return orMissing(() => readAnswer(wireOf(protocol).wire, JSON.stringify(body)))
}

/** A failure of which only the status and the words are known. */
export const readFailure = (protocol: Protocol, status: number, message: string): WireError => ({
  ...wireOf(protocol).wire.readError(
    status,
    {},
    JSON.stringify({ error: { message, type: null, param: null, code: null } }),
  ),
})

function orMissing<T>(read: () => T): ReadPart<T> {
  try {
    return { read: read() }
  } catch (error) {
    if (error instanceof UnsupportedError) return { missing: error.message.split('\n')[0] ?? '' }
    throw error
  }
}
