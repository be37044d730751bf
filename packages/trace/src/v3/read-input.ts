import { deepFreeze } from '../json/deep-freeze.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import { messageCost } from './expanded-size.ts'
import { usualNames } from './member-order.ts'
import { readMessage } from './read-message.ts'
import type { References } from './references.ts'
import { fail, fromStoredValue, type Place, specialValue, unescaped, within } from './stored-value.ts'
import type { V3Step } from './v3-file.ts'

/** What the readers of one file share. */
export interface Reading {
  references: References
  sizeOf(value: JsonValue): number
  /** Counts what the file expands to; stops the reading before it is too much. */
  spend(size: number, place: Place): void
}

/** The messages of a request, and their size. */
interface MessageList {
  items: JsonValue[]
  size: number
}

interface ReadInput {
  payload: JsonObject
  list: MessageList
}

/**
 * Expands the requests of one file, in order.
 * @returns undefined for a payload without messages, which stands as it is
 * @throws Fault
 */
export function createInputReader(
  reading: Reading,
): (index: number, step: V3Step, place: Place) => JsonObject | undefined {
  const inputs = new Map<number, ReadInput>()
  return (index, step, place) => {
    const base = baseOf(step, inputs, place)
    const stored = within(place, 'payload', () => storedMembers(step.payload, base, place))
    if (stored === undefined) return undefined
    const list = within(place, 'payload', () => readList(stored.messages, base?.list, reading, place))
    const members = new Map(keptMembers(step, stored, base, place))
    for (const [name, value] of Object.entries(stored)) {
      if (name !== 'messages')
        members.set(
          name,
          within(place, name, () => fromStoredValue(value, place)),
        )
    }
    for (const value of members.values()) reading.spend(reading.sizeOf(value), place)
    members.set('messages', list.items)
    const payload = inOrder(members, step.order, place)
    inputs.set(index, { payload, list })
    return payload
  }
}

function baseOf({ since }: V3Step, inputs: Map<number, ReadInput>, place: Place): ReadInput | undefined {
  if (since === undefined) return undefined
  const base = inputs.get(since)
  return base ?? fail('since is no earlier model_input with messages', [...place, 'since'])
}

function storedMembers(payload: JsonValue, base: ReadInput | undefined, place: Place): JsonObject | undefined {
  if (!isJsonObject(payload)) return base === undefined ? undefined : fail('payload is no object', place)
  if (base === undefined) return Array.isArray(payload.messages) ? payload : undefined
  const members = unescaped(payload, place)
  const isWhole = !Object.hasOwn(members, 'messages') || Array.isArray(members.messages)
  return isWhole ? members : fail('messages is no array', [...place, 'messages'])
}

function readList(
  stored: JsonValue | undefined,
  base: MessageList | undefined,
  reading: Reading,
  place: Place,
): MessageList {
  if (stored === undefined && base !== undefined) {
    reading.spend(base.size, place)
    return base
  }
  const list: MessageList = { items: [], size: 0 }
  for (const [at, item] of (stored as JsonValue[]).entries()) {
    within(place, at, () => {
      const keep = specialValue(item, '$keep')
      if (keep !== undefined) return addKept(keep, base, list, reading, place)
      const message = deepFreeze(readMessage(item, reading.references, place))
      spendOn(reading.sizeOf(message) + messageCost, list, reading, place)
      list.items.push(message)
    })
  }
  // Here, where only the new messages are looked at, and not later for the whole history.
  Object.freeze(list.items)
  return list
}

function addKept(
  keep: JsonValue,
  base: MessageList | undefined,
  list: MessageList,
  reading: Reading,
  place: Place,
): void {
  if (base === undefined) fail('$keep stands in a step without since', place)
  const [from, to] = rangeOf(keep, base.items.length, place)
  const isAll = from === 0 && to === base.items.length
  spendOn(isAll ? base.size : sizeOfRange(base.items, from, to, reading), list, reading, place)
  if (isAll && list.items.length === 0) {
    // Most requests go on where the one before stopped. Spread, since `slice` of a frozen array is slow.
    list.items = [...base.items]
    return
  }
  for (let at = from; at < to; at++) list.items.push(base.items[at] as JsonValue)
}

function spendOn(size: number, list: MessageList, reading: Reading, place: Place): void {
  reading.spend(size, place)
  list.size += size
}

function sizeOfRange(messages: readonly JsonValue[], from: number, to: number, { sizeOf }: Reading): number {
  let size = 0
  for (let at = from; at < to; at++) size += sizeOf(messages[at] as JsonValue) + messageCost
  return size
}

function rangeOf(keep: JsonValue, length: number, place: Place): [from: number, to: number] {
  const [from, to, ...more] = Array.isArray(keep) ? keep : []
  const isRange = [from, to].every(Number.isInteger) && more.length === 0
  if (isRange && 0 <= (from as number) && (from as number) < (to as number) && (to as number) <= length) {
    return [from as number, to as number]
  }
  return fail('$keep is no range of the messages it refers to', place)
}

/** The members of the base, beside its messages, that this request still has as they were. */
function keptMembers(
  step: V3Step,
  stored: JsonObject,
  base: ReadInput | undefined,
  place: Place,
): [string, JsonValue][] {
  const { drop = [] } = step
  const isGone = (name: string): boolean =>
    name !== 'messages' && base !== undefined && Object.hasOwn(base.payload, name) && !Object.hasOwn(stored, name)
  if (!drop.every(isGone)) fail('drop names a member that is not gone', [...place, 'drop'])
  const gone = new Set(drop)
  return Object.entries(base?.payload ?? {}).filter(([name]) => name !== 'messages' && !gone.has(name))
}

/** @param order all names as they stood, where that is not the usual order */
function inOrder(members: Map<string, JsonValue>, order: string[] | undefined, place: Place): JsonObject {
  const names = order ?? usualNames([...members.keys()])
  const isWhole = names.length === members.size && names.every((name) => members.has(name))
  if (!isWhole) fail('order does not list the members of the payload', [...place, 'order'])
  const payload = Object.fromEntries(names.map((name) => [name, members.get(name) as JsonValue]))
  const isPossible = order === undefined || Object.keys(payload).every((name, at) => name === order[at])
  return isPossible ? payload : fail('order puts a number-like name behind others', [...place, 'order'])
}
