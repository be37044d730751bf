import { resolve } from 'node:path'
import { renderVerifyReport } from '@retake/report'
import { ConfigError, type VerifyReport, verifyFile } from '@retake/trace'
import { type Command, exitCode, UsageError } from '../command.ts'
import { findFiles } from '../find-files.ts'
import { formatDocument } from '../format-document.ts'
import type { Io } from '../io.ts'

export const verify: Command = {
  name: 'verify',
  args: '[file, folder or glob…]',
  summary: 'Check cassettes: version, hash chain, neutrality, replayability, shapes, pairing',
  flags: { json: 'Print one JSON array, an entry a file' },
  details: [
    'Without arguments every *.cassette.json below the current folder is checked.',
    'Exit code: 0 all pass, 1 one fails, 2 one could not be judged (missing, unreadable).',
  ].join('\n'),

  run({ args, flags }, io) {
    const { files, missing } = findFiles(args, io.cwd)
    if (args.length === 0 && files.length === 0) throw new UsageError('there is no *.cassette.json below this folder')
    const entries = [...files.map((file) => judge(file, io)), ...missing.map(toMissing)]
    for (const { reason } of entries) if (reason !== undefined) io.warn(`retake verify: ${reason}`)
    if (flags.has('json')) io.print(formatDocument(entries.map(toDocument)))
    else printReports(entries, io)
    if (entries.some(({ reason }) => reason !== undefined)) return exitCode.unknown
    return entries.every(({ report }) => report.pass) ? exitCode.yes : exitCode.no
  },
}

/** A report, or why there is none. */
interface Entry {
  report: VerifyReport
  reason?: string
}

const judge = (file: string, io: Io): Entry => {
  try {
    return { report: { ...verifyFile(resolve(io.cwd, file)), file } }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [reason = ''] = error.message.split('\n')
    return { report: unjudged(file), reason: reason.includes(file) ? reason : `${file}: ${reason}` }
  }
}

const toMissing = ({ argument, reason }: { argument: string; reason: string }): Entry => ({
  report: unjudged(argument),
  reason: `${argument}: ${reason}`,
})

const unjudged = (file: string): VerifyReport => ({ file, format: 'retake', version: null, pass: false, checks: [] })

const toDocument = ({ report, reason }: Entry): object => {
  const { file, format, version, pass, checks } = report
  return { file, format, version, pass, ...(reason !== undefined && { state: 'unreadable' }), checks }
}

const printReports = (entries: Entry[], io: Io): void => {
  const judged = entries.filter(({ reason }) => reason === undefined).map(({ report }) => report)
  const [only, ...others] = judged
  if (!only) return
  if (others.length === 0) io.print(renderVerifyReport(only, io.style))
  else {
    // Of many files, those that pass need no more than a line.
    const brief = (report: VerifyReport) => (report.pass ? { ...report, checks: [] } : report)
    for (const report of judged) io.print(renderVerifyReport(brief(report), io.style))
    const passed = judged.filter(({ pass }) => pass).length
    io.print(`\n${passed} of ${entries.length} cassettes pass`)
  }
}
