import type { Colors } from 'tinyrainbow'
import { createSummaryRows, type SummaryRows } from './summary-rows.ts'

/** What became of one cassette of one test. */
export interface CassetteRow {
  path: string
  kind: 'replayed' | 'recorded' | 'updated' | 'waiting' | 'unchanged' | 'scripted' | 'failed' | 'discarded' | 'off'
  liveCalls: number
  unused: number
  /** What the live calls took; duration in milliseconds. */
  live?: { replies: number; tokens?: { input: number; output: number }; duration: number }
  /** Options in force that let a run pass which is not quite what was recorded. */
  inForce?: readonly string[]
}

type Kind = CassetteRow['kind']
type Paint = (colors: Colors, text: string) => string

/** What a run came to. */
export interface RunSummary {
  /** Of every cassette of every test. */
  reports: readonly CassetteRow[]
  /** Takes that wait beside the cassettes of this run, from this run or an earlier one. [0] */
  waiting?: number
  obsolete?: readonly { path: string; reason: string }[]
  /** The obsolete ones were removed. */
  removed?: boolean
  /** Cassettes of tests that got another name, and whether there is a new one already. */
  renamed?: readonly { from: string; to: string; exists: boolean }[]
  /** Tests that failed for one reason, and the command that records them all again. */
  same?: readonly { what: string; tests: number; files: readonly string[]; again: string }[]
  /** Obsolete cassettes fail the run. */
  strict?: boolean
}

export interface SummaryOptions {
  /** A path as it is listed. */
  listed(path: string): string
  /** A path as an argument of a command that is run where the tests were. */
  argument(path: string): string
  colors: boolean
  /** Whose rows it stands below. */
  runner: 'vitest' | 'jest'
}

const good: Paint = ({ bold, green }, text) => bold(green(text))
const bad: Paint = ({ bold, red }, text) => bold(red(text))
const notable: Paint = ({ bold, yellow }, text) => bold(yellow(text))

// In the order and the colours of the runners' own rows. What is not here is not worth a word: nothing happened.
const shown: [Kind, Paint][] = [
  ['failed', bad],
  ['replayed', good],
  ['recorded', good],
  ['updated', good],
  ['waiting', notable],
  ['unchanged', ({ gray }, text) => gray(text)],
  ['scripted', good],
  ['discarded', ({ yellow }, text) => yellow(text)],
]
const listed = new Set<Kind>(['recorded', 'updated', 'waiting'])

/** The rows below the runner's own at the end of a run. Empty if no cassette has anything to say. */
export const renderSummary = (summary: RunSummary, options: SummaryOptions): string => {
  const { reports, renamed = [], waiting = 0 } = summary
  const counts = [...countKinds(reports), ...countObsolete(summary)]
  if (counts.length === 0) return ''
  const rows = createSummaryRows(options.runner, options.colors)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const kinds = counts.map(({ count, word, paint }) => paint(rows.colors, `${count} ${word}`))
  const unused = reports.filter(({ kind }) => kind === 'replayed').reduce((sum, report) => sum + report.unused, 0)
  const liveCalls = reports.reduce((sum, report) => sum + report.liveCalls, 0)
  return [
    rows.row('Cassettes', rows.counts(kinds, total)),
    ...reports.filter(({ kind }) => listed.has(kind)).map(({ kind, path }) => rows.item(kind, options.listed(path))),
    ...listSame(summary, rows),
    ...(waiting > 0 ? [rows.hint(formatWaiting(waiting))] : []),
    ...listObsolete(summary, options, rows),
    ...renamed.map(({ from, to, exists }) =>
      rows.item('renamed?', formatMove(options.argument(from), options.argument(to), exists)),
    ),
    ...listInForce(reports, rows),
    ...(unused > 0 ? [rows.row('Unused', `${count(unused, 'recorded request')}, as allowed`)] : []),
    ...(liveCalls > 0 ? [rows.row('Live', formatLive(liveCalls, reports))] : []),
  ].join('\n')
}

const listSame = ({ same = [] }: RunSummary, { item, hint, colors }: SummaryRows) =>
  same.flatMap(({ what, tests, files, again }) => [
    item(
      `${tests} tests fail for one reason`,
      `${what}${files.length > 1 ? colors.dim(`  (in ${files.length} files)`) : ''}`,
    ),
    hint(`  on purpose?  ${again}`),
  ])

/** How many tests are not compared in full, and why. */
const listInForce = (reports: readonly CassetteRow[], { row }: SummaryRows): string[] => {
  const counts = new Map<string, number>()
  for (const { inForce = [] } of reports) for (const name of inForce) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts.size > 0 ? [row('In force', [...counts].map(([name, count]) => `${name} (${count})`).join(', '))] : []
}

interface Count {
  count: number
  word: string
  paint: Paint
}

const countKinds = (reports: readonly CassetteRow[]): Count[] =>
  shown.flatMap(([kind, paint]) => {
    const own = reports.filter((report) => report.kind === kind && (kind !== 'discarded' || report.liveCalls > 0))
    return own.length > 0 ? [{ count: own.length, word: kind, paint }] : []
  })

const countObsolete = ({ obsolete = [], removed, strict }: RunSummary): Count[] => {
  if (obsolete.length === 0) return []
  const paint = strict && !removed ? bad : removed ? good : notable
  return [{ count: obsolete.length, word: removed ? 'removed' : 'obsolete', paint }]
}

const listObsolete = (
  { obsolete = [], removed, strict, renamed = [] }: RunSummary,
  { listed }: SummaryOptions,
  { item, hint, colors }: SummaryRows,
) => {
  const items = obsolete.map(({ path, reason }) =>
    item(removed ? 'removed' : 'obsolete', `${listed(path)}  ${colors.dim(`(${reason})`)}`),
  )
  if (removed || obsolete.length === renamed.length) return items
  const why = strict ? 'they fail the run under CI; ' : ''
  return [...items, hint(`${why}remove: npx retake prune`)]
}

const formatWaiting = (takes: number): string =>
  `${count(takes, 'take')} ${takes === 1 ? 'waits' : 'wait'}: npx retake review`

const formatMove = (from: string, to: string, exists: boolean): string =>
  `npx retake mv ${exists ? '--force ' : ''}${from} ${to}`

/** What they took only where it is known of all of them, and tokens where every provider counted them. */
const formatLive = (calls: number, reports: readonly CassetteRow[]): string => {
  const uses = reports.flatMap(({ live }) => (live ? [live] : []))
  const tokens = uses.flatMap((use) => (use.tokens ? [use.tokens] : []))
  if (sumOf(uses, ({ replies }) => replies) !== calls) return count(calls, 'call')
  const input = sumOf(tokens, (counted) => counted.input)
  const output = sumOf(tokens, (counted) => counted.output)
  const seconds = sumOf(uses, ({ duration }) => duration) / 1000
  return [
    count(calls, 'call'),
    ...(tokens.length === uses.length ? [`${formatTokens(input)} tokens in`, `${formatTokens(output)} out`] : []),
    `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`,
  ].join(', ')
}

const sumOf = <T>(items: readonly T[], read: (item: T) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0)

/** 950, 1.2k, 1.2M. */
export const formatTokens = (number: number): string => {
  if (number < 1000) return String(number)
  return number < 999_950 ? `${(number / 1000).toFixed(1)}k` : `${(number / 1_000_000).toFixed(1)}M`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
