import { formatPath, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '@retake/trace'

/** One small change of a JSON document. */
export interface Mutation {
  kind: 'changed' | 'retyped' | 'removed' | 'added' | 'swapped'
  path: JsonPath
  /** What stood there. */
  before?: JsonValue
  /** Of a swap: its other item. */
  beside?: JsonValue
  /** The whole document with the change; shares what is not on the way to it. */
  document: JsonObject
}

/**
 * Every single change of a document: each leaf changed (one character, one more, true and false, null to 1), each member
 * and item removed, a member added to each object, each two neighbours of an array swapped.
 */
export function* mutationsOf(document: JsonObject): Generator<Mutation> {
  for (const { path, value } of walk(document, [])) {
    const put = (kind: Mutation['kind'], at: JsonPath, change: Change, before?: JsonValue): Mutation => ({
      kind,
      path: at,
      ...(before !== undefined && { before }),
      document: replaceAt(document, at, change) as JsonObject,
    })
    if (path.length > 0) {
      yield put('removed', path, 'remove', value)
      yield put('retyped', path, { to: typeof value === 'number' || value === null ? 'x' : 1 }, value)
    }
    if (typeof value !== 'object' || value === null) {
      yield put('changed', path, { to: changeLeaf(value) }, value)
    } else if (isJsonObject(value)) {
      yield put('added', [...path, 'retake_unknown'], { to: 'x' })
    } else {
      for (let at = 0; at + 1 < value.length; at++) {
        const [one, other] = [value[at] as JsonValue, value[at + 1] as JsonValue]
        if (JSON.stringify(one) === JSON.stringify(other)) continue
        yield { ...put('swapped', path, { to: value.with(at, other).with(at + 1, one) }, one), beside: other }
      }
    }
  }
}

function* walk(value: JsonValue, path: JsonPath): Generator<{ path: JsonPath; value: JsonValue }> {
  yield { path, value }
  if (typeof value !== 'object' || value === null) return
  const entries: [string | number, JsonValue][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  for (const [key, member] of entries) yield* walk(member, [...path, key])
}

/** A string changes in its middle: its ends may be quotes, white space or padding. */
export const changeLeaf = (value: string | number | boolean | null): JsonValue => {
  if (value === null) return 1
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (value === '') return 'x'
  const middle = /[a-z0-9](?=[^a-z0-9]*$)/i.exec(value.slice(0, Math.ceil((value.length + 1) / 2)))?.index ?? 0
  return `${value.slice(0, middle)}${value[middle] === 'q' ? 'w' : 'q'}${value.slice(middle + 1)}`
}

export type Change = 'remove' | { to: JsonValue }

export function replaceAt(
  value: JsonValue | undefined,
  [first, ...rest]: JsonPath,
  change: Change,
): JsonValue | undefined {
  if (first === undefined) return change === 'remove' ? undefined : change.to
  if (Array.isArray(value)) {
    const item = replaceAt(value[first as number], rest, change)
    return item === undefined ? value.toSpliced(first as number, 1) : value.with(first as number, item)
  }
  const { [first]: member, ...others } = value as JsonObject
  const changed = replaceAt(member, rest, change)
  return changed === undefined ? others : { ...(value as JsonObject), [first]: changed }
}

/** The path of a mutation with every index as `*`: `messages[*].content`. */
export const patternOf = (path: JsonPath): string =>
  formatPath(path.map((key) => (typeof key === 'number' ? 0 : key))).replaceAll('[0]', '[*]')
