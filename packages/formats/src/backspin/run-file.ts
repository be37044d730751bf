import type { TokenObject } from '../json/tokens.ts'

/** One line of a run: its members, and the text it had, to the byte. A line without one is new. */
export interface BackspinLine {
  members: TokenObject
  raw?: string
}

/** A loaded `.backspin.jsonl` file. Unknown kinds and members are there like all others. */
export interface BackspinRun {
  header: BackspinLine
  events: BackspinLine[]
  /** The last line, where the writer was stopped in the middle of it: its number from 1, and its text. */
  truncated?: { line: number; raw: string }
}

/** The schema that retake reads and writes. */
export const backspinSchema = 1
