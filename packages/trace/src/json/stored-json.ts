import { isBoxedPrimitive, isDate } from 'node:util/types'
import { UnsupportedError } from '../error.ts'
import type { JsonValue } from './json.ts'
import { formatPath } from './json-path.ts'

/** Deepest nesting of a value that still fits a cassette file, whose reader stops at 256. */
const maxDepth = 240

/**
 * A copy of a value as JSON holds it: `toJSON` is called; members that are undefined or functions are left out, as items
 * they become null. `undefined` itself becomes null. What JSON would change without a word is refused.
 * @param where what the value is, for the message: `the result of tool lookup`
 * @throws UnsupportedError for non-finite numbers, bigints, symbols, cycles, binary views, and objects whose content is
 * not in their own members (Map, Set, RegExp, Error …)
 */
export const toStoredJson = (value: unknown, where: string): JsonValue => {
  const stored = value === undefined ? null : copy('', value, { where, path: [], ancestors: [] })
  return stored === undefined ? refuseRoot(value, where) : stored
}

interface Walk {
  where: string
  path: (string | number)[]
  ancestors: object[]
}

/** Undefined for what JSON leaves out. */
function copy(key: string, raw: unknown, walk: Walk): JsonValue | undefined {
  const value = unboxed(withToJson(key, raw, walk))
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse('A non-finite number', 'null', walk)
    return value === 0 ? 0 : value
  }
  if (value === undefined || typeof value === 'function') return undefined
  if (typeof value !== 'object') return refuse(`A ${typeof value}`, undefined, walk)
  if (walk.ancestors.includes(value)) refuse('A circular reference', undefined, walk)
  if (walk.ancestors.length >= maxDepth) refuse(`A value nested more than ${maxDepth} levels deep`, undefined, walk)
  walk.ancestors.push(value)
  const stored = Array.isArray(value) ? copyItems(value, walk) : copyMembers(value, walk)
  walk.ancestors.pop()
  return stored
}

function copyItems(items: unknown[], walk: Walk): JsonValue[] {
  // By index, since map would keep the holes of a sparse array.
  return Array.from(items, (item, at) => copyAt(at, item, walk) ?? null)
}

function copyMembers(value: object, walk: Walk): JsonValue {
  const keys = Object.keys(value)
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  const isPlain = isRootPrototype(Object.getPrototypeOf(value))
  if (!isPlain && (keys.length === 0 || builtIns.has(tag) || ArrayBuffer.isView(value))) {
    refuse(`A ${tag === 'Object' ? 'class instance without members of its own' : tag}`, '{}', walk)
  }
  const entries: [string, JsonValue][] = []
  for (const key of keys) {
    const member = copyAt(key, (value as Record<string, unknown>)[key], walk)
    if (member !== undefined) entries.push([key, member])
  }
  return Object.fromEntries(entries)
}

const builtIns = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'RegExp', 'Promise', 'Error', 'ArrayBuffer'])

/** Null and the Object.prototype of any realm. */
const isRootPrototype = (prototype: object | null): boolean =>
  prototype === null || Object.getPrototypeOf(prototype) === null

function copyAt(key: string | number, value: unknown, walk: Walk): JsonValue | undefined {
  walk.path.push(key)
  const stored = copy(String(key), value, walk)
  walk.path.pop()
  return stored
}

function withToJson(key: string, value: unknown, walk: Walk): unknown {
  if ((typeof value !== 'object' && typeof value !== 'bigint') || value === null) return value
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON !== 'function') return value
  if (isDate(value) && Number.isNaN(value.getTime())) refuse('An invalid Date', 'null', walk)
  return toJSON.call(value, key)
}

const unboxed = (value: unknown): unknown => (isBoxedPrimitive(value) ? value.valueOf() : value)

const refuseRoot = (value: unknown, where: string): never =>
  refuse(`A ${typeof value}`, undefined, { where, path: [], ancestors: [] })

function refuse(what: string, storedAs: string | undefined, { where, path }: Walk): never {
  const at = formatPath(path)
  const reason = storedAs === undefined ? 'JSON has nothing for it' : `it would be stored as ${storedAs}`
  throw new UnsupportedError(
    `${what} in ${where}${at && ` at ${at}`} cannot be stored: ${reason}. Return plain data, or an object with toJSON.`,
    { name: 'value JSON cannot hold', where, path: at },
  )
}
