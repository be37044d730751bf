import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts'
import { type HashedStep, stepHash } from './step-hash.ts'

/**
 * Hashes the steps of one trace in order; the same digests as `stepHash`, but a message object that an earlier request
 * held already is not turned into canonical text again. Values must not change while the hasher is in use.
 * @throws UnsupportedError as `canonicalJson` does
 */
export function createChainHasher(): (step: HashedStep) => string {
  const texts = createTextCache()
  const history = createHistoryBytes(texts)
  return (step) => {
    const { index, payload, prevHash, timestamp, type } = step
    if (type !== 'model_input' || !isJsonObject(payload) || !Array.isArray(payload.messages)) return stepHash(step)
    const names = Object.keys(payload).sort()
    const middle = names.indexOf('messages')
    const before = names.slice(0, middle).map((name) => `${member(name, payload, texts)},`)
    const after = names.slice(middle + 1).map((name) => `,${member(name, payload, texts)}`)
    const chain = `"prevHash":${canonicalJson(prevHash)},"timestamp":${canonicalJson(timestamp)},"type":"model_input"`
    return createHash('sha256')
      .update(`{"index":${canonicalJson(index)},"payload":{${before.join('')}"messages":[`)
      .update(history(payload.messages))
      .update(`]${after.join('')}},${chain}}`)
      .digest('hex')
  }
}

const member = (name: string, payload: JsonObject, texts: TextCache): string =>
  `${JSON.stringify(name)}:${texts(payload[name] as JsonValue)}`

type TextCache = (value: JsonValue) => string

function createTextCache(): TextCache {
  const known = new WeakMap<object, string>()
  return (value) => {
    if (typeof value !== 'object' || value === null) return canonicalJson(value)
    const text = known.get(value) ?? canonicalJson(value)
    known.set(value, text)
    return text
  }
}

/** The canonical bytes of the last history, kept so that the next one only adds its own messages. */
function createHistoryBytes(texts: TextCache): (messages: JsonValue[]) => Uint8Array {
  let bytes = Buffer.allocUnsafe(1 << 14)
  const held: JsonValue[] = []
  const ends: number[] = []
  return (messages) => {
    let count = 0
    while (count < held.length && count < messages.length && held[count] === messages[count]) count++
    held.length = count
    ends.length = count
    for (const message of messages.slice(count)) {
      const text = (held.length > 0 ? ',' : '') + texts(message)
      const start = ends.at(-1) ?? 0
      // Three bytes are the most that UTF-8 needs for one code unit.
      const needed = start + text.length * 3
      if (needed > bytes.length) {
        const grown = Buffer.allocUnsafe(Math.max(needed, bytes.length * 2))
        bytes.copy(grown, 0, 0, start)
        bytes = grown
      }
      ends.push(start + bytes.write(text, start))
      held.push(message)
    }
    return bytes.subarray(0, ends.at(-1) ?? 0)
  }
}
