import type { JsonObject, JsonValue } from '../json/json.ts'
import type { TraceStepType } from '../trace.ts'

/** A v3 file as it stands on disk. Members in this order; docs/format.md has the rules. */
export interface V3File {
  version: 3
  test?: { file: string; name: string }
  id: string
  parentId?: string
  forkedFromStepId?: string
  /** Milliseconds since the epoch. */
  createdAt: number
  steps: V3Step[]
  /** Timestamps of the steps, in milliseconds after createdAt. */
  at: number[]
  extras?: JsonObject[]
  /** Hex SHA-256 of the compact JSON of all other members. */
  seal: string
}

export type V3Step = {
  type: TraceStepType
  /** Only where it is not `${file.id}:${index}`. */
  id?: string
  /** Index of the earlier model_input that this one is written as a change of. */
  since?: number
  /** Members of that earlier payload that this one lacks. */
  drop?: string[]
  /** Names of the expanded payload, where they do not stand in the usual order. */
  order?: string[]
  payload: JsonValue
  /** First 16 hex digits of the SHA-256 of the compact JSON of the other members. */
  sum: string
}

export const v3Version = 3
