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
    ...renderFlags(common),
    '',
    'retake <command> --help tells more.',
  ].join('\n')

/** The help of one command. */
export const renderCommandHelp = ({ name, args, summary, flags, details }: Command): string =>
  [
    summary,
    '',
    `Usage: retake ${name} ${args}${Object.keys(flags)
      .map((flag) => ` [--${flag}]`)
      .join('')}`,
    '',
    'Options:',
    ...renderFlags({ ...flags, help: common.help }),
    '',
    details,
  ].join('\n')

const renderFlags = (flags: Readonly<Record<string, string>>): string[] =>
  renderColumns(Object.entries(flags).map(([flag, text]) => [`--${flag}`, text]))

const renderColumns = (rows: [string, string][]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
