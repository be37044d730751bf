import type { AssertReport, ExpectationCheck } from '@retake/compare'
import { renderChangedWords } from './changed-words.ts'
import type { Style } from './style.ts'
import { type BlockOptions, count, renderSigned, renderTextChange } from './text-change.ts'
import { cutText, padText, toLine } from './text-width.ts'
import { renderVerifyReport } from './verify-report.ts'

export interface AssertReportOptions {
  style: Style
  /** [100] */
  width?: number
}

/** A run held against expectations: the verdict, a row for each, and under those that fail what it did instead. */
export const renderAssertReport = (
  { pass, verify, checks, firstFailure }: AssertReport,
  { style, width = 100 }: AssertReportOptions,
): string => {
  const column = Math.max(0, ...checks.map(({ name }) => name.length))
  const rows = checks.flatMap((check) => renderExpectation(check, column, style, width))
  if (firstFailure?.kind === 'verify') return [renderVerifyReport(verify, { style, width }), ...rows].join('\n')
  const head = `${pass ? style.good('PASS') : style.bad('FAIL')}  ${toLine(verify.file ?? 'trace')}`
  const verified = style.dim(
    `  verified, ${checks.length === 0 ? 'no expectations' : count(checks.length, 'expectation')}`,
  )
  return [head + verified, ...rows].join('\n')
}

const renderExpectation = (check: ExpectationCheck, column: number, style: Style, width: number): string[] => {
  const { name, status, expected, actual, detail } = check
  const label = padText(name, column)
  if (status === 'skip') return [style.dim(`  – ${label}  ${detail}`)]
  if (status === 'pass') {
    return [`  ${style.good('✓')} ${label}  ${style.dim(cutText(toLine(formatValue(expected)), width - column - 6))}`]
  }
  return [
    `  ${style.bad('✗')} ${label}  ${detail}`,
    ...renderFailure(expected, actual, { style, width: width - 6 }).map((line) => `      ${line}`),
  ]
}

const renderFailure = (
  expected: ExpectationCheck['expected'],
  actual: ExpectationCheck['actual'],
  options: BlockOptions,
): string[] => {
  const { style, width } = options
  if (typeof expected === 'string' && typeof actual === 'string' && `${expected}${actual}`.includes('\n')) {
    return [
      `${style.before('- expected')}    ${style.after('+ actual')}`,
      ...renderTextChange(expected, actual, options),
    ]
  }
  const names = ['expected  ', 'actual    '] as const
  const room = width - 2 - names[0].length
  const [wanted, got] = renderChangedWords(formatValue(expected), formatValue(actual), style, room)
  return [renderSigned('-', names[0] + wanted, style), renderSigned('+', names[1] + got, style)]
}

const formatValue = (value: ExpectationCheck['actual']): string => {
  if (value === null || value === undefined) return '(none)'
  if (typeof value === 'string') return value === '' ? '(empty)' : value
  return value.length === 0 ? '(none)' : value.join(' → ')
}
