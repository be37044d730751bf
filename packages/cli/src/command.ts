import type { Io } from './io.ts'

/** Exit codes of every command. */
export const exitCode = {
  /** Yes, fine. */
  yes: 0,
  /** No: invalid, different, an expectation failed, something waits. */
  no: 1,
  /** Could not be judged: wrong usage, a missing or unreadable file. */
  unknown: 2,
  /** Only `verify` of a Stepfork bundle without integrity record. */
  unverified: 3,
} as const

/** What a command line gives a command. */
export interface Input {
  args: string[]
  flags: ReadonlySet<string>
  options: ReadonlyMap<string, string>
  /** What stands behind `--`; undefined without it. */
  command?: string[]
}

/** One verb of the command line. */
export interface Command {
  name: string
  /** Arguments as the help shows them: `<first> <second>`, `[file or glob…]`. */
  args: string
  /** One line for the list of verbs. */
  summary: string
  /** Flags without value, and what they do. */
  flags: Readonly<Record<string, string>>
  /** Flags with a value: a word for the value, and what they do. */
  options?: Readonly<Record<string, readonly [value: string, text: string]>>
  /** True where all arguments are another program's: they are passed on as they are. */
  passesOn?: boolean
  /** True where another program and its arguments may stand behind `--`. */
  takesCommand?: boolean
  /** Further lines of its help. */
  details: string
  /**
   * @returns the exit code
   * @throws UsageError for arguments it cannot take, RetakeError for a file it cannot judge
   */
  run(input: Input, io: Io): number | Promise<number>
}

/** The command line cannot be understood. The message is one line. */
export class UsageError extends Error {}
