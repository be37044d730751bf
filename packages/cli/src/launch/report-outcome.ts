import { renderFailure } from '@retake/report'
import { exitCode } from '../command.ts'
import type { Io } from '../io.ts'
import type { Launched } from './launch.ts'
import type { Report, ReportedError } from './report.ts'

interface Told {
  verb: string
  io: Io
  /** What is said of a session that ended well, a line each. */
  success(report: Extract<Report, { ok: true }>): string[]
}

/**
 * Says on standard error what became of a session; standard output is the command's own.
 * @returns the exit code: that of the command, or 1 where only the session failed
 */
export const reportOutcome = (launched: Launched, { verb, io, success }: Told): number => {
  const { exitCode: code, report } = launched
  const isFine = report?.ok === true && report.kind !== 'discarded'
  if (isFine) for (const line of success(report)) io.warn(line)
  else io.warn(`retake ${verb}: ${describeFailure(launched, io)}`)
  if (isFine || code !== 0) return code
  return exitCode.no
}

const describeFailure = ({ report, isUsed, exitCode, isBeside }: Launched, io: Io): string => {
  if (!report && isUsed) return 'the process that made the model calls was killed; nothing was written'
  if (!report) {
    if (exitCode !== 0) return `the command ended with exit code ${exitCode} before it made a model call`
    if (isBeside) return 'the command asked no model at the base URL that it was told'
    return (
      'no Node process of the command made a model call\n' +
      '  For an agent in another language tell whose base URL it reads: --base-url openai'
    )
  }
  if (report.ok) return 'the session ended without a model call; nothing was written'
  return formatError(report.error, io)
}

const formatError = ({ name, code = '', message, details = {} }: ReportedError, io: Io): string => {
  const { message: text, difference } = renderFailure({ name, code, message, details }, [], {
    style: io.warnStyle,
    width: io.width,
  })
  return [text, ...(difference === undefined ? [] : ['', difference])].join('\n')
}

/** For an agent that opened the session itself and did not end it. */
export const noticeUnfinished = ({ finished }: Extract<Report, { ok: true }>): string[] =>
  finished === false ? ['session.finish() was not called; how the run ended was told by its exit'] : []
