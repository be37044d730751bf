import type { VerifyCheck, VerifyReport } from '@retake/trace'
import type { Style } from './style.ts'
import { padText, toLine } from './text-width.ts'

/** A verify report: the verdict on a file, and a row a check. */
export const renderVerifyReport = ({ file, version, pass, checks }: VerifyReport, style: Style): string => {
  const verdict = pass ? style.good('PASS') : style.bad('FAIL')
  const what = version === null ? '' : style.dim(`  version ${version}`)
  const column = Math.max(0, ...checks.map(({ name }) => name.length))
  return [
    `${verdict}  ${toLine(file ?? 'trace')}${what}`,
    ...checks.map((check) => `  ${renderCheck(check, column, style)}`),
  ].join('\n')
}

const renderCheck = ({ name, status, where, detail }: VerifyCheck, column: number, style: Style): string => {
  const label = padText(name, column)
  const text = toLine(where === undefined ? detail : `${where}: ${detail}`)
  if (status === 'pass') return `${style.good('✓')} ${label}  ${style.dim(text)}`
  if (status === 'fail') return `${style.bad('✗')} ${label}  ${text}`
  return style.dim(`– ${label}  ${text}`)
}
