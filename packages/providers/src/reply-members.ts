import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import type { Opaque } from './extras.ts'
import { createKnown, isNothing, type KnownMembers, otherMembers, type TypeName, toObject } from './json-members.ts'
import { type RefusalName, unsupported } from './unsupported.ts'
import type { ReplyExtras } from './wire.ts'

/**
 * What becomes of the members of one kind of object in a reply. One in none of the lists is kept verbatim in the extras,
 * and given back.
 */
export interface ReplyMembers {
  /** Read into the turn and its extras, or written anew. */
  readonly read: readonly string[]
  /** Of some of those the types that they can be read as. One of another type is kept like one that nobody knows. */
  readonly types?: Readonly<Record<string, readonly TypeName[]>>
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

const known = new WeakMap<ReplyMembers, KnownMembers>()

const knownOf = (members: ReplyMembers): KnownMembers => {
  const made = known.get(members) ?? createKnown([...members.read, ...members.ignored], members.types)
  known.set(members, made)
  return made
}

/** The members of an object that nothing else tells. */
export const othersOf = (object: JsonObject, members: ReplyMembers): JsonObject => {
  const others = otherMembers(object, knownOf(members))
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

/**
 * Members that come in the pieces of a stream: lists and, where `joins`, texts are put together, of objects what each
 * says, others replaced.
 */
export const joinOthers = (before: JsonObject, others: JsonObject, joins = false): JsonObject => {
  const joined = Object.entries(others).map(([name, value]): [string, JsonValue] => {
    const known = before[name]
    if (Array.isArray(known) && Array.isArray(value)) return [name, [...known, ...value]]
    if (isJsonObject(known) && isJsonObject(value)) return [name, mergeSaid(known, value)]
    return [name, joins && typeof known === 'string' && typeof value === 'string' ? known + value : value]
  })
  return { ...before, ...Object.fromEntries(joined) }
}

/** The later of two values, but what says nothing takes nothing back: a filter that caught one piece has caught the reply. */
const mergeSaid = (before: JsonObject, later: JsonObject): JsonObject => {
  const merged = Object.entries(later).map(([name, value]): [string, JsonValue] => {
    const known = before[name]
    if (isJsonObject(known) && isJsonObject(value)) return [name, mergeSaid(known, value)]
    return [name, isNothing(value) ? (known ?? value) : value]
  })
  return { ...before, ...Object.fromEntries(merged) }
}
