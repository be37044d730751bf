import c from 'tinyrainbow'
import type { CassetteReport } from './cassette-report.ts'

type Kind = CassetteReport['kind']

// In the order and the colours of Vitest's own rows. What is not here is not worth a word: nothing happened.
const shown: [Kind, (text: string) => string][] = [
  ['failed', (text) => c.bold(c.red(text))],
  ['replayed', (text) => c.bold(c.green(text))],
  ['recorded', (text) => c.bold(c.green(text))],
  ['updated', (text) => c.bold(c.green(text))],
  ['unchanged', (text) => c.gray(text)],
  ['discarded', (text) => c.yellow(text)],
]
const listed = new Set<Kind>(['recorded', 'updated'])

/** The rows below Vitest's own at the end of a run. Empty if no cassette has anything to say. */
export const renderSummary = (reports: readonly CassetteReport[], formatPath: (path: string) => string): string => {
  const counts = shown.flatMap(([kind, colour]) => {
    const count = reports.filter(
      (report) => report.kind === kind && (kind !== 'discarded' || report.liveCalls > 0),
    ).length
    return count > 0 ? [colour(`${count} ${kind}`)] : []
  })
  if (counts.length === 0) return ''
  const files = reports.filter(({ kind }) => listed.has(kind))
  const liveCalls = reports.reduce((sum, report) => sum + report.liveCalls, 0)
  return [
    formatRow('Cassettes', counts.join(c.dim(' | '))),
    ...files.map(({ kind, path }) => `${' '.repeat(indent)}${c.dim('↳')} ${kind}  ${formatPath(path)}`),
    ...(liveCalls > 0 ? [formatRow('Live', `${liveCalls} ${liveCalls === 1 ? 'call' : 'calls'}`)] : []),
  ].join('\n')
}

const indent = 13

const formatRow = (title: string, text: string): string => `${c.dim(title.padStart(indent - 2))}  ${text}`
