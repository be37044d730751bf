import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'

/**
 * A body as it is stored: `body` is a text, or the value of JSON that prints the same again; `bytes` is base64, of what
 * is no UTF-8. Neither for an empty one. Byte for byte what it was.
 */
export type StoredBody = { body?: JsonValue; bytes?: string }

/** Deepest JSON that is stored as a value; below it the rest of a step must fit. */
const maxDepth = 200

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function toStoredBody(bytes: Uint8Array): StoredBody {
  if (bytes.length === 0) return {}
  const text = decoded(bytes)
  if (text === undefined) return { bytes: Buffer.from(bytes).toString('base64') }
  return { body: toCompactJson(text) ?? text }
}

/** Any text that is no JSON stands for itself, and so does a JSON string. */
export function fromStoredBody({ body, bytes }: StoredBody): Uint8Array<ArrayBuffer> {
  if (bytes !== undefined) return new Uint8Array(Buffer.from(bytes, 'base64'))
  if (body === undefined) return new Uint8Array()
  return new Uint8Array(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
}

/** The members of a stored request or response that are its body. */
export function storedBodyOf({ body, bytes }: JsonObject): StoredBody {
  return { ...(body !== undefined && { body }), ...(typeof bytes === 'string' && { bytes }) }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return undefined
  }
}

function toCompactJson(text: string): JsonValue | undefined {
  if (!/^[[{\dtfn-]/.test(text)) return undefined
  try {
    const value = JSON.parse(text) as JsonValue
    return JSON.stringify(value) === text && isShallow(value, maxDepth) ? value : undefined
  } catch {
    return undefined
  }
}

function isShallow(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  const members = isJsonObject(value) ? Object.values(value) : value
  return members.every((member) => isShallow(member, levels - 1))
}
