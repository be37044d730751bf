import type { Difference } from '@retake/compare'
import type { CassetteTest, StepExtras, Trace, VerifyCheck } from '@retake/trace'
import type { Loss } from './loss.ts'
import type { RunSource } from './run-source.ts'

/** What `detectFormat` tells apart; `retake` is a cassette of version 2 or 3. */
export type FormatName = 'retake' | 'backspin' | 'stepfork' | 'agentskit' | 'claude-code' | 'chat-json' | 'vcr'

/** A run as retake holds it, whatever file it came from. */
export interface Run {
  trace: Trace
  extras: StepExtras[]
  test?: CassetteTest
}

/** What a reader of another format gives. */
export interface ReadRun extends Run {
  /** What of the file has no place in the trace. */
  lost: Loss[]
  /** What a replay through an SDK would need and the file does not hold. Absent or empty: it can be replayed. */
  missing?: Loss[]
}

/** What a writer gives: one text, or the files of a folder by name. */
export type WrittenRun = ({ text: string } | { files: ReadonlyMap<string, string> }) & {
  /** What of the run has no place in the format. */
  lost: Loss[]
}

/** What `verify` says of a file of any format. */
export interface FormatReport {
  format: FormatName
  /** As the file states it; null where it states none. */
  version: number | string | null
  pass: boolean
  /** Stepfork: whether its integrity record fits. */
  state?: 'verified' | 'mismatch' | 'unverified_legacy'
  checks: VerifyCheck[]
}

/** Two runs of one format, compared by its own rules. */
export interface FormatDiff {
  /** Index of the first step that differs, from 0; null for none. */
  firstDivergence: number | null
  differences: (Difference & { step: number })[]
}

/** One file format of runs. Each has a folder here, and a line in `known-formats.ts`. */
export interface RunFormat {
  name: FormatName
  /** By content, never by name. It must not throw. */
  recognizes(source: RunSource): boolean
  /** @throws RetakeError for a file that cannot be read as a run */
  read(source: RunSource): ReadRun
  /** Absent for formats that are only imported. */
  write?(run: Run): WrittenRun
  /** @param options `strict: false` for a run that is not over, where the format tells */
  verify?(source: RunSource, options?: { strict?: boolean }): FormatReport
  diff?(first: RunSource, second: RunSource): FormatDiff
}
