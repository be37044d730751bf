import { isRetakeError, type VerifyCheck } from '@retake/trace'
import type { FormatName, FormatReport, ReadRun } from './run-format.ts'
import type { RunSource } from './run-source.ts'

/** The check of a format that proves nothing but that its reader takes the file. `read` gives the detail. */
export function checkReadable(read: () => string): VerifyCheck {
  const name = 'schema'
  try {
    return { name, status: 'pass', detail: read() }
  } catch (error) {
    if (!isRetakeError(error)) throw error
    const { line, column } = error.details
    const where = column === undefined ? `line ${line}` : `line ${line}, column ${column}`
    const [detail = ''] = error.message.split('\n')
    return { name, status: 'fail', code: error.code, ...(line !== undefined && { where }), detail }
  }
}

/** `verify` for a format that is only read, and has no version. */
export const verifyReadable =
  (format: FormatName, read: (source: RunSource) => ReadRun) =>
  (source: RunSource): FormatReport => {
    const check = checkReadable(() => `${read(source).trace.steps.length} step(s)`)
    return { format, version: null, pass: check.status === 'pass', checks: [check] }
  }
