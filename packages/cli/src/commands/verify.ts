import { resolve } from 'node:path'
import type { FormatReport } from '@retake/formats'
import { isOnlyUnverified, renderVerifyReport } from '@retake/report'
import { ConfigError, verifyFile } from '@retake/trace'
import { type Command, exitCode, UsageError } from '../command.ts'
import { findFiles } from '../find-files.ts'
import { openForeign } from '../foreign-file.ts'
import { formatDocument } from '../format-document.ts'
import type { Io } from '../io.ts'

export const verify: Command = {
  name: 'verify',
  args: '[file, folder or glob…]',
  summary: 'Check cassettes: version, hash chain, neutrality, replayability, shapes, pairing',
  flags: {
    partial: 'Stepfork: the run may be a part of one',
    json: 'Print one JSON array, an entry a file',
  },
  details: [
    'Without arguments every *.cassette.json below the current folder is checked. A Stepfork bundle, a run of',
    'backspin and a fixture of AgentsKit are known by what they hold, and checked by their own rules.',
    'Exit code: 0 all pass, 1 one fails, 2 one could not be judged (missing, unreadable), 3 all that is',
    'wrong is that a Stepfork bundle has no integrity record.',
  ].join('\n'),

  run({ args, flags }, io) {
    const { files, missing } = findFiles(args, io.cwd)
    if (args.length === 0 && files.length === 0) throw new UsageError('there is no *.cassette.json below this folder')
    const entries = [...files.map((file) => judge(file, !flags.has('partial'), io)), ...missing.map(toMissing)]
    for (const { reason } of entries) if (reason !== undefined) io.warn(`retake verify: ${reason}`)
    if (flags.has('json')) io.print(formatDocument(entries.map(toDocument)))
    else printReports(entries, io)
    if (entries.some(({ reason }) => reason !== undefined)) return exitCode.unknown
    const failed = entries.filter(({ report }) => !report.pass)
    if (failed.length === 0) return exitCode.yes
    return failed.every(({ report }) => isOnlyUnverified(report)) ? exitCode.unverified : exitCode.no
  },
}

/** A report, or why there is none. */
interface Entry {
  report: FormatReport & { file: string }
  reason?: string
}

const judge = (file: string, strict: boolean, io: Io): Entry => {
  const path = resolve(io.cwd, file)
  try {
    const foreign = openForeign(path)
    const report = foreign?.format.verify?.(foreign.source, { strict }) ?? verifyFile(path)
    const isPart = strict && !report.pass && foreign?.format.verify?.(foreign.source, { strict: false }).pass
    return { report: { ...(isPart ? withHint(report) : report), file } }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [reason = ''] = error.message.split('\n')
    return { report: unjudged(file), reason: reason.includes(file) ? reason : `${file}: ${reason}` }
  }
}

/** Names the flag at what fails only because the run is no whole one. */
const withHint = (report: FormatReport): FormatReport => ({
  ...report,
  checks: report.checks.map((check) =>
    check.status === 'fail'
      ? { ...check, detail: `${check.detail} Is it a part of a run? --partial accepts it.` }
      : check,
  ),
})

const toMissing = ({ argument, reason }: { argument: string; reason: string }): Entry => ({
  report: unjudged(argument),
  reason: `${argument}: ${reason}`,
})

const unjudged = (file: string): Entry['report'] => ({ file, format: 'retake', version: null, pass: false, checks: [] })

const toDocument = ({ report, reason }: Entry): object => {
  const { file, format, version, pass, state, checks } = report
  const told = reason === undefined ? state : 'unreadable'
  return { file, format, version, pass, ...(told !== undefined && { state: told }), checks }
}

const printReports = (entries: Entry[], io: Io): void => {
  const judged = entries.filter(({ reason }) => reason === undefined).map(({ report }) => report)
  const [only, ...others] = judged
  if (!only) return
  if (others.length === 0) io.print(renderVerifyReport(only, io))
  else {
    // Of many files, those that pass need no more than a line.
    const brief = (report: FormatReport) => (report.pass ? { ...report, checks: [] } : report)
    for (const report of judged) io.print(renderVerifyReport(brief(report), io))
    const passed = judged.filter(({ pass }) => pass).length
    io.print(`\n${passed} of ${entries.length} cassettes pass`)
  }
}
