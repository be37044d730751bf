import stableStringify from 'fast-json-stable-stringify'
import { UnsupportedError } from '../error.ts'
import { formatPath } from './json-path.ts'

/**
 * The text that step hashes are made from: keys sorted by UTF-16 code units at every level, no white space, strings and
 * numbers as `JSON.stringify` prints them. (Trace format, "Hash Input".)
 * @throws UnsupportedError for what JSON cannot hold: undefined, non-finite numbers, bigints, functions, symbols, cycles,
 * and objects whose content is not in their own members (Map, Date …), since `toJSON` is not called here
 */
export function canonicalJson(value: unknown): string {
  const walk: Walk = { path: [], ancestors: [], inheritsToJson: false }
  check(value, walk)
  // The library calls toJSON wherever it finds one; a plain copy has none.
  return stableStringify(walk.inheritsToJson ? ownMembers(value) : value)
}

interface Walk {
  path: (string | number)[]
  ancestors: object[]
  inheritsToJson: boolean
}

function check(value: unknown, walk: Walk): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse('a non-finite number', walk)
    return
  }
  if (typeof value !== 'object') refuse(value === undefined ? 'undefined' : `a ${typeof value}`, walk)
  if (walk.ancestors.includes(value)) refuse('a circular reference', walk)
  walk.ancestors.push(value)
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) checkAt(at, value[at], walk)
  } else {
    const keys = Object.keys(value)
    if (keys.length === 0 && !isPlain(value)) refuse('an object without members of its own', walk)
    for (const key of keys) checkAt(key, (value as Record<string, unknown>)[key], walk)
  }
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') walk.inheritsToJson = true
  walk.ancestors.pop()
}

function checkAt(key: string | number, value: unknown, walk: Walk): void {
  walk.path.push(key)
  check(value, walk)
  walk.path.pop()
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function ownMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ownMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, ownMembers(member)]))
}

function refuse(what: string, { path }: Walk): never {
  const where = formatPath(path)
  throw new UnsupportedError(`Cannot canonicalize ${what}${where && ` at ${where}`}`, { name: what, where })
}
