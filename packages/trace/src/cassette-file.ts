import type { JsonValue } from './json/json.ts'
import type { Trace } from './trace.ts'

export type CassetteFormat = 'v2' | 'v3'

/** A cassette file as data: the trace, and what only the v3 format keeps beside it. */
export interface CassetteFile {
  trace: Trace
  format: CassetteFormat
  test?: CassetteTest
  /** By rising step; empty for v2. */
  extras: StepExtras[]
}

/** The test a cassette belongs to. */
export interface CassetteTest {
  file: string
  name: string
}

/** What a reply carried that is no part of the run: never compared and not hashed. */
export interface StepExtras {
  /** Index of the model_output step. */
  step: number
  tokens?: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number; reasoning?: number }
  /** The model that answered, where the provider named one. */
  servedModel?: string
  firstByteMs?: number
  durationMs?: number
  /** Lengths in UTF-16 code units of the text, reasoning and argument deltas, in order. */
  chunks?: number[]
  /** Provider blobs that a live continuation needs, by index into the parts of the reply. */
  opaque?: { part: number; kind: string; value: JsonValue }[]
}
