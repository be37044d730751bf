import type { Colors } from 'tinyrainbow'
import type { SummaryOptions } from './summary.ts'
import { createSummaryRows } from './summary-rows.ts'

/** What a run that recorded has to say besides how many. */
export interface RecordingNotices {
  /** Paths of the first cassettes of a project; empty for a project that had some. */
  first: readonly string[]
  /** Of what was recorded and is ignored by git: a path, and the rule, as git names both. */
  ignored?: { path: string; rule: string } | undefined
}

/** What follows the summary; empty if there is nothing to say. */
export const renderRecordingNotices = ({ first, ignored }: RecordingNotices, options: SummaryOptions): string => {
  const { hint, colors } = createSummaryRows(options.runner, options.colors)
  const [path] = first
  const blocks = [
    ...(path === undefined ? [] : [aboutFirst(options.argument(path)).map(hint)]),
    ...(ignored ? [aboutIgnored(options.listed(ignored.path), ignored.rule, colors)] : []),
  ]
  return blocks.map((lines) => `\n\n${lines.join('\n')}`).join('')
}

const aboutFirst = (path: string): string[] => [
  'The first cassettes of this project. They hold what the agent sent, and what the model and the tools answered.',
  'From now on these tests replay them: offline, without a key, the same every time.',
  `Look at one:  npx retake inspect ${path}`,
  'Commit these files with the tests, and review their changes like those of snapshots.',
]

const aboutIgnored = (path: string, rule: string, { yellow }: Colors): string[] => [
  yellow(`[retake] git ignores ${path}`),
  `  The rule is ${rule}. A cassette that is not committed is missing under CI and for everybody else.`,
]
