import type { VerifyCheck } from '@retake/trace'
import type { Style } from './style.ts'
import { padText, toLine } from './text-width.ts'

/** What a verify says of a file of any format. */
export interface VerifiedFile {
  file?: string
  format: string
  version: number | string | null
  pass: boolean
  state?: string
  checks: VerifyCheck[]
}

/** A verify report: the verdict on a file, and a row a check. */
export const renderVerifyReport = (report: VerifiedFile, style: Style): string => {
  const { file, format, version, checks } = report
  const name = format === 'retake' ? 'version' : format
  const what = version === null ? '' : style.dim(`  ${name} ${version}`)
  const column = Math.max(0, ...checks.map(({ name }) => name.length))
  return [
    `${renderVerdict(report, style)}  ${toLine(file ?? 'trace')}${what}`,
    ...checks.map((check) => `  ${renderCheck(check, column, style)}`),
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

const renderCheck = ({ name, status, where, detail }: VerifyCheck, column: number, style: Style): string => {
  const label = padText(name, column)
  const text = toLine(where === undefined ? detail : `${where}: ${detail}`)
  if (status === 'pass') return `${style.good('✓')} ${label}  ${style.dim(text)}`
  if (status === 'fail') return `${style.bad('✗')} ${label}  ${text}`
  return style.dim(`– ${label}  ${text}`)
}
