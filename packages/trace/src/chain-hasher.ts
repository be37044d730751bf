import { createHash } from 'node:crypto'
import { canonicalJson } from './json/canonical-json.ts'
import { isJsonObject, type JsonValue } from './json/json.ts'
import { type HashedStep, stepHash } from './step-hash.ts'

/**
 * Hashes the steps of one trace in order; the same digests as `stepHash`, but a message object that an earlier request
 * held already is not turned into canonical text again. Values must not change while the hasher is in use.
 * @throws UnsupportedError as `canonicalJson` does
 */
export function createChainHasher(): (step: HashedStep) => string {
  const bytesOf = createByteCache()
  const historyBytes = createHistoryBytes(bytesOf)
  return (step) => {
    const { index, payload, prevHash, timestamp, type } = step
    if (type !== 'model_input' || !isJsonObject(payload) || !Array.isArray(payload.messages)) return stepHash(step)
    const sha = createHash('sha256').update(`{"index":${canonicalJson(index)},"payload":{`)
    for (const [at, name] of Object.keys(payload).sort().entries()) {
      sha.update(`${at === 0 ? '' : ','}${JSON.stringify(name)}:`)
      if (name === 'messages') sha.update('[').update(historyBytes(payload.messages)).update(']')
      else sha.update(bytesOf(payload[name] as JsonValue))
    }
    return sha
      .update(`},"prevHash":${canonicalJson(prevHash)},"timestamp":${canonicalJson(timestamp)},"type":"model_input"}`)
      .digest('hex')
  }
}

type Bytes = (value: JsonValue) => Uint8Array

/** Canonical bytes, kept by object and by text: a request repeats its tools and its prompt. */
function createByteCache(): Bytes {
  const byObject = new WeakMap<object, Uint8Array>()
  const byText = new Map<string, Uint8Array>()
  return (value) => {
    const isObject = typeof value === 'object' && value !== null
    const known = isObject ? byObject.get(value) : byText.get(value as string)
    if (known !== undefined) return known
    const bytes = Buffer.from(canonicalJson(value))
    if (isObject) byObject.set(value, bytes)
    else if (typeof value === 'string') byText.set(value, bytes)
    return bytes
  }
}

/** The canonical bytes of the last history, kept so that the next one only adds its own messages. */
function createHistoryBytes(bytesOf: Bytes): (messages: JsonValue[]) => Uint8Array {
  let history = Buffer.allocUnsafe(1 << 14)
  const held: JsonValue[] = []
  const ends: number[] = []
  return (messages) => {
    let count = 0
    while (count < held.length && count < messages.length && held[count] === messages[count]) count++
    held.length = count
    ends.length = count
    for (const message of messages.slice(count)) {
      const bytes = bytesOf(message)
      const start = ends.at(-1) ?? 0
      history = withRoom(history, start, bytes.length + 1)
      // Every message but the first has its comma before it.
      const comma = held.length === 0 ? 0 : history.write(',', start)
      history.set(bytes, start + comma)
      ends.push(start + comma + bytes.length)
      held.push(message)
    }
    return history.subarray(0, ends.at(-1) ?? 0)
  }
}

function withRoom(bytes: Buffer<ArrayBuffer>, used: number, more: number): Buffer<ArrayBuffer> {
  if (used + more <= bytes.length) return bytes
  const grown = Buffer.allocUnsafe(Math.max(used + more, bytes.length * 2))
  bytes.copy(grown, 0, 0, used)
  return grown
}
