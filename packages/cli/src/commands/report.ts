import { appendFileSync } from 'node:fs'
import { type ChangeReport, renderChangeOverview, renderMarkdownReport, toReportDocument } from '@retake/report'
import { ConfigError } from '@retake/trace'
import { compareSides } from '../changes/compare-sides.ts'
import { createFileLinks } from '../changes/file-links.ts'
import { findSides } from '../changes/find-sides.ts'
import { findTakes, toTakeSides } from '../changes/takes.ts'
import { type Command, exitCode, UsageError } from '../command.ts'
import { formatDocument } from '../format-document.ts'

export const report: Command = {
  name: 'report',
  args: '[<base>...<head> | <base> [<head>] | <folder> <folder>]',
  summary: 'What the agent does differently between two commits or folders, as a comment of a pull request',
  flags: {
    markdown: 'Print Markdown for a comment',
    json: 'Print one JSON document',
    takes: 'Compare the cassettes with the takes that wait',
    'exit-code': 'Exit with 1 where something changed',
  },
  options: { id: ['name', 'Tells the comments of several packages apart'] },
  details: [
    'Without sides: in a pull request of GitHub or GitLab what it brings, else what is not committed.',
    'One commit is compared with the working tree; main...HEAD is what HEAD changed since it left main.',
    'Where GITHUB_STEP_SUMMARY names a file, the Markdown is appended to it too.',
    'Exit code: 0 a report, 1 a cassette is broken, 2 it could not be made.',
  ].join('\n'),

  run({ args, flags, options }, io) {
    if (flags.has('markdown') && flags.has('json')) throw new UsageError('--markdown and --json exclude each other')
    if (flags.has('takes') && args.length > 0) throw new UsageError('--takes compares with the cassettes as they are')
    const sides = flags.has('takes') ? toTakeSides(findTakes(io.cwd), io.cwd) : findSides(args, io.cwd, process.env)
    const found = compareSides(...sides)
    const id = options.get('id')
    // Other sides than those of the pipeline may have other files than it checked out.
    const linkTo = args.length === 0 && !flags.has('takes') ? createFileLinks(io.cwd, process.env) : undefined
    const markdown = (): string => renderMarkdownReport(found, { linkTo, ...(id !== undefined && { id }) })
    if (flags.has('json')) io.print(formatDocument(toReportDocument(found)))
    else if (flags.has('markdown')) io.write(markdown())
    else io.print(renderChangeOverview(found, io))
    appendToSummary(markdown)
    return toExitCode(found, flags.has('exit-code'))
  },
}

const toExitCode = ({ broken, conversations }: ChangeReport, strict: boolean): number =>
  broken.length > 0 || (strict && conversations.length > 0) ? exitCode.no : exitCode.yes

const appendToSummary = (markdown: () => string): void => {
  const file = process.env.GITHUB_STEP_SUMMARY
  if (!file) return
  try {
    appendFileSync(file, markdown())
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`GITHUB_STEP_SUMMARY names ${file}, which cannot be written (${code})`, { file })
  }
}
