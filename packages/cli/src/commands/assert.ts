import { resolve } from 'node:path'
import { assertVerified, type Expectations } from '@retake/compare'
import { renderAssertReport } from '@retake/report'
import { loadTrace } from '@retake/trace'
import { type Command, exitCode } from '../command.ts'
import { formatDocument } from '../format-document.ts'
import { oneFile } from '../one-file.ts'
import { verifyReadable } from '../read-cassette.ts'

export const assert: Command = {
  name: 'assert',
  args: '<file>',
  summary: 'Hold a cassette against what its run should have done',
  options: {
    'expect-status': ['status', 'How the run ended: success, error or incomplete'],
    'expect-final-answer': ['text', 'The whole answer of a run that completed'],
    'expect-failure-reason': ['reason', 'The reason of a run that failed, unknown_tool for one'],
    'expect-tools': ['names', 'All tools called, in order, with commas between; "" for none'],
  },
  flags: { json: 'Print one JSON document' },
  details: [
    'The cassette is verified first; if that fails, the expectations are skipped. They are exact.',
    'Exit code: 0 as expected, 1 not as expected or not verified, 2 the file could not be read.',
  ].join('\n'),

  run({ args, flags, options }, io) {
    const file = oneFile('assert', args)
    const path = resolve(io.cwd, file)
    const verify = { ...verifyReadable(path), file }
    const report = assertVerified(verify, () => loadTrace(path), toExpectations(options))
    io.print(
      flags.has('json') ? formatDocument(report) : renderAssertReport(report, { style: io.style, width: io.width }),
    )
    return report.pass ? exitCode.yes : exitCode.no
  },
}

const toExpectations = (options: ReadonlyMap<string, string>): Expectations => {
  const given: Record<keyof Expectations, string | string[] | undefined> = {
    status: options.get('expect-status'),
    finalAnswer: options.get('expect-final-answer'),
    failureReason: options.get('expect-failure-reason'),
    tools: toNames(options.get('expect-tools')),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const toNames = (names: string | undefined): string[] | undefined =>
  names === '' ? [] : names?.split(',').map((name) => name.trim())
