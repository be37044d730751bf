import { cac } from 'cac'
import { type Command, UsageError } from './command.ts'

export type Request =
  | { kind: 'help'; command?: Command }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; args: string[]; flags: ReadonlySet<string> }

/**
 * What a command line asks for.
 * @throws UsageError for an unknown verb or flag, a value for a flag that takes none, or no verb at all
 */
export const parseArguments = (argv: readonly string[], commands: readonly Command[]): Request => {
  const cli = cac('retake')
  cli.option('-h, --help', '').option('-v, --version', '')
  for (const command of commands) {
    const entry = cli.command(`${command.name} [...args]`, '', { allowUnknownOptions: true })
    for (const flag of Object.keys(command.flags)) entry.option(`--${flag}`, '')
  }
  refuseValues(argv)
  const { args, options } = cli.parse(['node', 'retake', ...argv], { run: false })
  const command = commands.find(({ name }) => name === cli.matchedCommandName)
  if (options.help) return command ? { kind: 'help', command } : { kind: 'help' }
  if (options.version) return { kind: 'version' }
  if (!command) throw new UsageError(args[0] === undefined ? 'no command given' : `unknown command "${args[0]}"`)
  const given = Object.keys(options).filter((flag) => flag !== '--')
  const unknown = given.find((flag) => !Object.hasOwn(command.flags, flag))
  if (unknown !== undefined) throw new UsageError(`${command.name} has no flag ${formatFlag(unknown)}`)
  const flags = new Set(given.filter((flag) => options[flag] !== false))
  return { kind: 'run', command, args: [...args, ...options['--']].map(String), flags }
}

const formatFlag = (flag: string): string => (flag.length === 1 ? `-${flag}` : `--${flag}`)

/** The parser would take the value of a flag without one for a file. */
const refuseValues = (argv: readonly string[]): void => {
  const end = argv.indexOf('--')
  const valued = argv.slice(0, end < 0 ? argv.length : end).find((argument) => /^--?[^=]+=/.test(argument))
  if (valued !== undefined) throw new UsageError(`${valued.slice(0, valued.indexOf('='))} takes no value`)
}
