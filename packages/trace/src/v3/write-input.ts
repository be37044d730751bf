import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import { createBases, createNumbering, type Input, toInput, toPieces } from './base.ts'
import { storedNames, usualNames } from './member-order.ts'
import { callPart, type References, resultPart } from './references.ts'
import { escaped, toStoredValue } from './stored-value.ts'
import type { V3Step } from './v3-file.ts'

export type WrittenInput = Pick<V3Step, 'since' | 'drop' | 'order' | 'payload'>

/** True for a model_input payload that is written as a change of an earlier one, where there is one. */
export const hasMessages = (payload: JsonValue): payload is JsonObject & { messages: JsonValue[] } =>
  isJsonObject(payload) && Array.isArray(payload.messages)

/** Writes the requests of one trace in order. */
export function createInputWriter(references: References): (step: number, payload: JsonObject) => WrittenInput {
  const number = createNumbering()
  const findBase = createBases()
  const writeMessage = createMessageWriter(references)
  return (step, payload) => {
    const input = toInput(step, payload, number)
    const base = findBase(input)
    const names = Object.keys(payload).filter((name) => isWritten(name, input, base))
    const messages = (payload.messages as JsonValue[]).map((message) => () => writeMessage(message))
    const members = storedNames(names).map((name): [string, JsonValue] => [
      name,
      name === 'messages' ? writeMessages(messages, input, base) : toStoredValue(payload[name] as JsonValue),
    ])
    const dropped = [...(base?.members.keys() ?? [])].filter((name) => !input.members.has(name))
    const order = Object.keys(payload)
    return {
      ...(base === undefined ? {} : { since: base.step }),
      ...(dropped.length === 0 ? {} : { drop: dropped }),
      ...(isUsual(order) ? {} : { order }),
      payload: escaped(Object.fromEntries(members)),
    }
  }
}

function isWritten(name: string, input: Input, base: Input | undefined): boolean {
  if (base === undefined) return true
  if (name !== 'messages') return input.members.get(name) !== base.members.get(name)
  const { messages } = base
  return messages.length !== input.messages.length || input.messages.some((message, at) => message !== messages[at])
}

function writeMessages(messages: (() => JsonValue)[], input: Input, base: Input | undefined): JsonValue[] {
  return toPieces(input.messages, base?.messages ?? []).map((piece) =>
    'keep' in piece ? { $keep: piece.keep } : (messages[piece.message] as () => JsonValue)(),
  )
}

/** As ECMAScript puts the names into an object: integer-like ones first, whatever was asked for. */
function isUsual(names: string[]): boolean {
  const usual = Object.keys(Object.fromEntries(usualNames(names).map((name) => [name, null])))
  return usual.every((name, at) => name === names[at])
}

function createMessageWriter({ call, result }: References): (message: JsonValue) => JsonValue {
  const isSame = (part: JsonObject, known: JsonObject | undefined): boolean =>
    known !== undefined && JSON.stringify(known) === JSON.stringify(part)
  const writePart = (part: JsonValue): JsonValue => {
    if (isJsonObject(part) && typeof part.toolCallId === 'string') {
      const id = part.toolCallId
      const [knownCall, knownResult] = [call(id), result(id)]
      if (isSame(part, knownCall && callPart(knownCall))) return { $call: toStoredValue(id) }
      if (isSame(part, knownResult && resultPart(knownResult))) return { $result: toStoredValue(id) }
    }
    return toStoredValue(part)
  }
  return (message) => {
    if (!isJsonObject(message) || !Array.isArray(message.content)) return toStoredValue(message)
    const members = Object.entries(message).map(([name, value]): [string, JsonValue] => [
      name,
      name === 'content' && Array.isArray(value) ? value.map(writePart) : toStoredValue(value),
    ])
    return Object.fromEntries(members)
  }
}
