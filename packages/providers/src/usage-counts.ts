import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import type { Opaque } from './extras.ts'
import { isNothing } from './json-members.ts'
import { othersBlob, writeOthers } from './reply-members.ts'
import type { ReplyExtras } from './wire.ts'

const place = 'usage'

/** How long the parts of a call took is no count, and no two runs share it. */
const isTime = (name: string): boolean => /_time(_ms)?$/.test(name)

/** By which contract and where a call ran: it counts nothing, and no two runs need share it. */
const contract: readonly string[] = ['service_tier', 'speed', 'inference_geo', 'trafficType']

/** What of a usage object that which is `written` from the neutral counts does not tell; of lists all. */
const restOf = (usage: JsonObject, written: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(usage).flatMap(([name, value]): [string, JsonValue][] => {
      const other = written[name]
      if (typeof value === 'number') return isTime(name) || value === (other ?? 0) ? [] : [[name, value]]
      const rest = isJsonObject(value) ? restOf(value, isJsonObject(other) ? other : {}) : value
      return isNothing(rest) || contract.includes(name) ? [] : [[name, rest]]
    }),
  )

const merge = (one: JsonObject, other: JsonObject): JsonObject => {
  const merged = Object.entries(other).map(([name, value]): [string, JsonValue] => {
    const known = one[name]
    return [name, isJsonObject(known) && isJsonObject(value) ? merge(known, value) : value]
  })
  return { ...one, ...Object.fromEntries(merged) }
}

/** Counts of a vendor's own, and sums that are not the sum of their parts. */
export const readOtherCounts = (usage: JsonObject, written: JsonObject): Opaque[] =>
  othersBlob(place, restOf(usage, written))

export const withOtherCounts = (written: JsonObject, extras: ReplyExtras | undefined): JsonObject =>
  merge(written, writeOthers(extras, place))
