import { type Reply, readAnswer, type WireError } from '@retake/providers'
import { isJsonObject, type JsonValue, type ModelInput, UnsupportedError } from '@retake/trace'
import { wireOf } from './wire-of.ts'

/** What was read, or which field keeps it from being read; `lacks` keeps it from being replayed only. */
export type ReadPart<T> = { read: T; lacks?: string } | { missing: string }

export type Protocol = 'openai.chat' | 'openai.responses' | 'anthropic.messages'

/** The request in a body, where it has what the protocol requires. */
export function readRequestBody(protocol: Protocol, body: JsonValue | undefined): ReadPart<ModelInput> {
  const { wire, toRequest } = wireOf(protocol)
  if (!isJsonObject(body)) return { missing: 'the body of the request' }
  // A request may be kept without its model, as in the older cassettes of other tools.
  const isNamed = typeof body.model === 'string'
  const named = isNamed ? body : { ...body, model: 'unknown' }
  if (!wire.matchesBody(named, new URL(toRequest(named).url))) {
    return { missing: `${protocol === 'openai.responses' ? 'input' : 'messages'} of the request` }
  }
  const part = orMissing(() => wire.readRequest(toRequest(named)))
  if (isNamed || 'missing' in part) return part
  const { model: _, ...input } = part.read
  return { read: input, lacks: 'model of the request' }
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
