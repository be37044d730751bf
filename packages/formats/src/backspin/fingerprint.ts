import { canonicalJson, sha256 } from '@retake/trace'
import { plainOf } from '../json/plain-json.ts'
import { printPython } from '../json/print-python.ts'
import type { TokenJson, TokenObject } from '../json/tokens.ts'

/**
 * The fingerprint of a request: 16 hex digits of the SHA-256 of Python's canonical JSON of model and messages.
 * (Run format, "Versioning rules".)
 * @throws UnsupportedError for half of a surrogate pair, which Python cannot encode either
 */
export const fingerprint = (model: TokenJson, messages: TokenJson): string =>
  short(printPython(toHashed(model, messages), { compact: true, sortKeys: true }))

const short = (text: string): string => sha256(text).slice(0, 16)

const toHashed = (model: TokenJson, messages: TokenJson): TokenObject =>
  new Map([
    ['model', model],
    ['messages', messages],
  ])

/**
 * Whether a stored fingerprint is that of the event: of its own model, or of the request's. backspin's TypeScript SDK
 * hashes numbers and the order of keys as JavaScript prints them.
 */
export function hasFingerprint(event: TokenObject, stored: string): boolean {
  const request = event.get('request')
  const messages = (request instanceof Map ? request.get('messages') : undefined) ?? null
  const models = [event.get('model'), request instanceof Map ? request.get('model') : undefined, null]
  return models.some((model) => model !== undefined && fingerprintsOf(model, messages).includes(stored))
}

/** Whether the request was redacted: its fingerprint is that of before. */
export const wasRedacted = (event: TokenObject): boolean =>
  printPython(event.get('request') ?? null)
    .toLowerCase()
    .includes('[redacted]')

function fingerprintsOf(model: TokenJson, messages: TokenJson): string[] {
  const ofJavaScript = short(canonicalJson({ model: plainOf(model), messages: plainOf(messages) }))
  try {
    return [fingerprint(model, messages), ofJavaScript]
  } catch {
    return [ofJavaScript]
  }
}
