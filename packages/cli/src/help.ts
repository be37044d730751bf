import { wrapText } from '@retake/report'
import type { Command } from './command.ts'

const common = { help: 'Show this help', version: 'Show the version' }

/** The help of the whole command line. */
export const renderHelp = (commands: readonly Command[], width: number): string =>
  [
    'retake: cassettes for tests of LLM agents',
    '',
    'Usage: retake <command> [arguments]',
    '',
    'Commands:',
    ...renderColumns(
      commands.map(({ name, summary }) => [name, summary]),
      width,
    ),
    '',
    'Options:',
    ...renderColumns(toRows(common), width),
    '',
    'retake <command> --help tells more.',
  ].join('\n')

const mostInUsage = 2

/** The help of one command. */
export const renderCommandHelp = (
  { name, args, summary, flags, options = {}, details }: Command,
  width: number,
): string => {
  const rows = [
    ...Object.entries(options).map(([flag, [value, text]]): Row => [`--${flag} <${value}>`, text]),
    ...toRows(flags),
  ]
  const usage = rows.length > mostInUsage ? ' [options]' : rows.map(([flag]) => ` [${flag}]`).join('')
  return [
    ...wrapText(summary, width),
    '',
    ...hang('Usage: ', `retake ${name} ${placeFlags(args, usage)}`, width),
    '',
    'Options:',
    ...renderColumns([...rows, ['--help', common.help]], width),
    '',
    ...details.split('\n').flatMap((line) => wrapText(line, width)),
  ].join('\n')
}

/** What stands behind `--` is another program's: flags come before it. */
const placeFlags = (args: string, flags: string): string => {
  const [, own = args, command = ''] = /^(.*?)(\[?-- .*)$/.exec(args) ?? []
  return [own.trim(), flags.trim(), command].filter((part) => part !== '').join(' ')
}

type Row = [left: string, right: string]

const toRows = (flags: Readonly<Record<string, string>>): Row[] =>
  Object.entries(flags).map(([flag, text]) => [`--${flag}`, text])

const renderColumns = (rows: Row[], width: number): string[] => {
  const column = Math.max(...rows.map(([left]) => left.length))
  return rows.flatMap(([left, right]) => hang(`  ${left.padEnd(column)}  `, right, width))
}

/** A text behind a title, its further lines below its first. */
const hang = (title: string, text: string, width: number): string[] =>
  wrapText(text, Math.max(20, width - title.length)).map(
    (line, nth) => (nth === 0 ? title : ' '.repeat(title.length)) + line,
  )
