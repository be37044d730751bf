import c from 'tinyrainbow'
import type { CassetteReport } from './cassette-report.ts'
import type { ObsoleteCassette } from './obsolete-cassettes.ts'
import type { RenamedCassette } from './renamed-cassettes.ts'

type Kind = CassetteReport['kind']
type Paint = (text: string) => string

/** What a run came to. */
export interface RunSummary {
  /** Of every cassette of every test. */
  reports: readonly CassetteReport[]
  obsolete?: readonly ObsoleteCassette[]
  /** The obsolete ones were removed. */
  removed?: boolean
  renamed?: readonly RenamedCassette[]
  /** Obsolete cassettes fail the run. */
  strict?: boolean
}

export interface SummaryPlaces {
  /** A path as it is listed. */
  listed(path: string): string
  /** A path as an argument of a command that is run where the tests were. */
  argument(path: string): string
}

const good: Paint = (text) => c.bold(c.green(text))
const bad: Paint = (text) => c.bold(c.red(text))
const notable: Paint = (text) => c.bold(c.yellow(text))

// In the order and the colours of Vitest's own rows. What is not here is not worth a word: nothing happened.
const shown: [Kind, Paint][] = [
  ['failed', bad],
  ['replayed', good],
  ['recorded', good],
  ['updated', good],
  ['unchanged', c.gray],
  ['discarded', c.yellow],
]
const listed = new Set<Kind>(['recorded', 'updated'])
const indent = 13

/** The rows below Vitest's own at the end of a run. Empty if no cassette has anything to say. */
export const renderSummary = (summary: RunSummary, places: SummaryPlaces): string => {
  const { reports, renamed = [] } = summary
  const counts = [...countKinds(reports), ...countObsolete(summary)]
  if (counts.length === 0) return ''
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const row = counts.map(({ count, word, paint }) => paint(`${count} ${word}`)).join(c.dim(' | '))
  const unused = reports.filter(({ kind }) => kind === 'replayed').reduce((sum, report) => sum + report.unused, 0)
  const liveCalls = reports.reduce((sum, report) => sum + report.liveCalls, 0)
  return [
    formatRow('Cassettes', counts.length > 1 ? `${row} ${c.gray(`(${total})`)}` : row),
    ...reports.filter(({ kind }) => listed.has(kind)).map(({ kind, path }) => formatItem(kind, places.listed(path))),
    ...listObsolete(summary, places),
    ...renamed.map(({ from, to, exists }) =>
      formatItem('renamed?', formatMove(places.argument(from), places.argument(to), exists)),
    ),
    ...(unused > 0 ? [formatRow('Unused', `${count(unused, 'recorded request')}, as allowed`)] : []),
    ...(liveCalls > 0 ? [formatRow('Live', count(liveCalls, 'call'))] : []),
  ].join('\n')
}

interface Count {
  count: number
  word: string
  paint: Paint
}

const countKinds = (reports: readonly CassetteReport[]): Count[] =>
  shown.flatMap(([kind, paint]) => {
    const own = reports.filter((report) => report.kind === kind && (kind !== 'discarded' || report.liveCalls > 0))
    return own.length > 0 ? [{ count: own.length, word: kind, paint }] : []
  })

const countObsolete = ({ obsolete = [], removed, strict }: RunSummary): Count[] => {
  if (obsolete.length === 0) return []
  const paint = strict && !removed ? bad : removed ? good : notable
  return [{ count: obsolete.length, word: removed ? 'removed' : 'obsolete', paint }]
}

const listObsolete = ({ obsolete = [], removed, strict, renamed = [] }: RunSummary, { listed }: SummaryPlaces) => {
  const items = obsolete.map(({ path, reason }) =>
    formatItem(removed ? 'removed' : 'obsolete', `${listed(path)}  ${c.dim(`(${reason})`)}`),
  )
  if (removed || obsolete.length === renamed.length) return items
  const why = strict ? 'they fail the run under CI; ' : ''
  return [...items, `${' '.repeat(indent)}${c.dim(`${why}remove: npx retake prune`)}`]
}

const formatMove = (from: string, to: string, exists: boolean): string =>
  `npx retake mv ${exists ? '--force ' : ''}${from} ${to}`

const formatItem = (word: string, text: string): string => `${' '.repeat(indent)}${c.dim('↳')} ${word}  ${text}`

const formatRow = (title: string, text: string): string => `${c.dim(title.padStart(indent - 2))}  ${text}`

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
