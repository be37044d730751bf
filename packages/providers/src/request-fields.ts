import type { JsonObject, JsonValue } from '@retake/trace'
import { isNothing } from './json-members.ts'
import { type RefusalName, unsupported } from './unsupported.ts'

/** What becomes of every top-level field of a request. A field in none of these lists is kept verbatim and compared. */
export interface RequestFields {
  /** Wire name → neutral name in `params`. Of two with one neutral name the first wins, the other is kept verbatim. */
  readonly compared: Readonly<Record<string, string>>
  /** They change no answer: ids, transport, accounting, caching. */
  readonly ignored: readonly string[]
  readonly refused: Readonly<Record<string, RefusalName>>
  /** Read by code of their own: messages, tools … */
  readonly read: readonly string[]
  /** The value in its one form; undefined where it says what its absence says. */
  normalize?(name: string, value: JsonValue): JsonValue | undefined
}

export interface ReadParams {
  params: JsonObject
  other: Unplaced
}

/** Everything of a request that has no place of its own: kept verbatim, by its path in the request. */
export type Unplaced = Map<string, JsonValue>

/** @throws UnsupportedError for a refused field that carries something */
export const readParams = (body: JsonObject, fields: RequestFields): ReadParams => {
  const params: JsonObject = {}
  const other: Unplaced = new Map()
  for (const [name, refusal] of Object.entries(fields.refused)) {
    const value = body[name]
    // An empty object can be a wish: `web_search_options: {}` switches the search on.
    const isWish = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isWish || !isNothing(value)) throw unsupported(refusal, name)
  }
  for (const [name, neutral] of Object.entries(fields.compared)) {
    const value = normalized(body[name], name, fields)
    if (value === undefined) continue
    if (neutral in params) other.set(name, value)
    else params[neutral] = value
  }
  const known = new Set([
    ...Object.keys(fields.compared),
    ...Object.keys(fields.refused),
    ...fields.ignored,
    ...fields.read,
  ])
  for (const [name, value] of Object.entries(body)) {
    if (value !== null && !known.has(name)) other.set(name, value)
  }
  return { params, other }
}

const normalized = (value: JsonValue | undefined, name: string, fields: RequestFields): JsonValue | undefined => {
  if (value === undefined || value === null || (typeof value === 'object' && isNothing(value))) return undefined
  return fields.normalize ? fields.normalize(name, value) : value
}

/** The `params` of a request: absent when empty. */
export const toParams = ({ params, other }: ReadParams): { params?: JsonObject } => {
  const all = other.size > 0 ? { ...params, other: Object.fromEntries(other) } : params
  return Object.keys(all).length > 0 ? { params: all } : {}
}

/** A schema without the member that only names its dialect; SDKs add it or not for the same call. */
export const withoutDialect = (schema: JsonValue): JsonValue => {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema
  const { $schema, ...rest } = schema
  return rest
}

/** The format of structured output. `strict: false` is what its absence says. */
export const toSchemaFormat = ({ schema, strict, ...named }: JsonObject): JsonObject => ({
  ...named,
  ...(schema !== undefined && { schema: withoutDialect(schema) }),
  ...(!isNothing(strict) && { strict: strict ?? null }),
})
