import type { VerifyCheck } from '@retake/trace'
import type { Style } from './style.ts'
import { padText, toLine, wrapText } from './text-width.ts'

/** What a verify says of a file of any format. */
export interface VerifiedFile {
  file?: string
  format: string
  version: number | string | null
  pass: boolean
  state?: string
  checks: VerifyCheck[]
}

export interface VerifyReportOptions {
  style: Style
  /** [100] */
  width?: number
}

/** A verify report: the verdict on a file, and a row a check. Checks that were skipped for one reason are one row. */
export const renderVerifyReport = (report: VerifiedFile, { style, width = 100 }: VerifyReportOptions): string => {
  const { file, format, version, checks } = report
  const name = format === 'retake' ? 'version' : format
  const what = version === null ? '' : style.dim(`  ${name} ${version}`)
  const column = Math.max(0, ...checks.map(({ name }) => name.length))
  return [
    `${renderVerdict(report, style)}  ${toLine(file ?? 'trace')}${what}`,
    ...foldSkipped(checks).flatMap((check) => renderCheck(check, column, style, width)),
  ].join('\n')
}

const renderVerdict = ({ pass, state, checks }: VerifiedFile, style: Style): string => {
  if (pass) return style.good('PASS')
  return isOnlyUnverified({ state, checks }) ? style.bad('UNVERIFIED') : style.bad('FAIL')
}

/** True where nothing is wrong but that there is no record to check the files by. */
export const isOnlyUnverified = ({ state, checks }: { state?: string | undefined; checks: VerifyCheck[] }): boolean =>
  state === 'unverified_legacy' &&
  checks.every(({ status, code }) => status === 'pass' || code === 'integrity_unverified')

const foldSkipped = (checks: readonly VerifyCheck[]): VerifyCheck[] => {
  const groups = Map.groupBy(checks, ({ name, status, detail }) => (status === 'skip' ? detail : `: ${name}`))
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    return others.length === 0 ? [first] : [{ ...first, name: `${others.length + 1} more` }]
  })
}

const marks = { pass: '✓', fail: '✗', skip: '–' } as const

const renderCheck = (
  { name, status, where, detail }: VerifyCheck,
  column: number,
  style: Style,
  width: number,
): string[] => {
  const label = padText(name, column)
  const text = toLine(where === undefined ? detail : `${where}: ${detail}`)
  const paint = { pass: style.good, fail: style.bad, skip: style.dim }[status]
  return wrapText(text, Math.max(20, width - column - 6)).map((line, nth) => {
    if (nth > 0) return `${' '.repeat(column + 6)}${status === 'fail' ? line : style.dim(line)}`
    if (status === 'skip') return paint(`  ${marks.skip} ${label}  ${line}`)
    return `  ${paint(marks[status])} ${label}  ${status === 'fail' ? line : style.dim(line)}`
  })
}
