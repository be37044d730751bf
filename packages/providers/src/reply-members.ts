import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import type { Opaque } from './extras.ts'
import { isNothing, otherMembers, toObject } from './json-members.ts'
import { type RefusalName, unsupported } from './unsupported.ts'
import type { ReplyExtras } from './wire.ts'

/**
 * What becomes of the members of one kind of object in a reply. One in none of the lists is kept verbatim in the extras,
 * and given back.
 */
export interface ReplyMembers {
  /** Read into the turn and its extras, or written anew. */
  readonly read: readonly string[]
  /** Ids, times, accounting, and what repeats the request: a replay has none of its own, or others. */
  readonly ignored: readonly string[]
  readonly refused: Readonly<Record<string, RefusalName>>
}

/** @throws UnsupportedError for a member that a replay could not give back, where it holds something */
export const refuseMembers = (object: JsonObject, { refused }: ReplyMembers, path = ''): void => {
  for (const [name, refusal] of Object.entries(refused)) {
    if (!isNothing(object[name])) throw unsupported(refusal, path === '' ? name : `${path}.${name}`)
  }
}

/** The members of an object that nothing else tells. */
export const othersOf = (object: JsonObject, { read, ignored }: ReplyMembers): JsonObject => {
  const others = otherMembers(object, [...read, ...ignored])
  return Object.fromEntries(Object.entries(others).filter(([, value]) => holds(value)))
}

/** An object of nothing but empty members holds nothing. */
const holds = (value: JsonValue): boolean =>
  isJsonObject(value) ? Object.values(value).some(holds) : !isNothing(value)

const kindOf = (place: string): string => `${place}.other`

/** `place` says what kind of object they stood in; of parts and what belongs to them `part` says which. */
export const othersBlob = (place: string, others: JsonObject, part = 0): Opaque[] =>
  isNothing(others) ? [] : [{ part, kind: kindOf(place), value: others }]

export const writeOthers = (extras: ReplyExtras | undefined, place: string, part = 0): JsonObject =>
  toObject(extras?.opaque?.find((blob) => blob.part === part && blob.kind === kindOf(place))?.value)

/** Members that come in the pieces of a stream: lists and, where `joins`, texts are put together, others replaced. */
export const joinOthers = (before: JsonObject, others: JsonObject, joins = false): JsonObject => {
  const joined = Object.entries(others).map(([name, value]): [string, JsonValue] => {
    const known = before[name]
    if (Array.isArray(known) && Array.isArray(value)) return [name, [...known, ...value]]
    return [name, joins && typeof known === 'string' && typeof value === 'string' ? known + value : value]
  })
  return { ...before, ...Object.fromEntries(joined) }
}
