import type { Command } from './command.ts'

const common = { help: 'Show this help', version: 'Show the version' }

/** The help of the whole command line. */
export const renderHelp = (commands: readonly Command[]): string =>
  [
    'retake: cassettes for tests of LLM agents',
    '',
    'Usage: retake <command> [arguments]',
    '',
    'Commands:',
    ...renderColumns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Options:',
    ...renderColumns(toRows(common)),
    '',
    'retake <command> --help tells more.',
  ].join('\n')

const mostInUsage = 2

/** The help of one command. */
export const renderCommandHelp = ({ name, args, summary, flags, options = {}, details }: Command): string => {
  const rows = [
    ...Object.entries(options).map(([flag, [value, text]]): Row => [`--${flag} <${value}>`, text]),
    ...toRows(flags),
  ]
  const usage = rows.length > mostInUsage ? ' [options]' : rows.map(([flag]) => ` [${flag}]`).join('')
  return [
    summary,
    '',
    `Usage: retake ${name} ${args}${usage}`,
    '',
    'Options:',
    ...renderColumns([...rows, ['--help', common.help]]),
    '',
    details,
  ].join('\n')
}

type Row = [left: string, right: string]

const toRows = (flags: Readonly<Record<string, string>>): Row[] =>
  Object.entries(flags).map(([flag, text]) => [`--${flag}`, text])

const renderColumns = (rows: Row[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
