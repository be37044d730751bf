import { parseArgs } from 'node:util'
import { likenessOfTexts } from '@retake/compare'
import { type Command, type Input, UsageError } from './command.ts'

export type Request =
  | { kind: 'help'; command?: Command }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; input: Input }

const common = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const

/**
 * What a command line asks for. Values stay the texts they are: an answer to expect may be `007`, or empty.
 * @throws UsageError for an unknown verb or flag, a value that is missing or has no place, or no verb at all
 */
export const parseArguments = (argv: readonly string[], commands: readonly Command[]): Request => {
  const passing = commands.find(({ name, passesOn }) => passesOn && name === argv[0])
  if (passing) {
    return { kind: 'run', command: passing, input: { args: argv.slice(1), flags: new Set(), options: new Map() } }
  }
  const { own, behind } = splitCommand(argv, commands)
  const { tokens } = parseArgs({ args: own, options: knownOptions(commands), strict: false, tokens: true })
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []))
  const [verb, ...args] = words[0] === 'help' ? words.slice(1) : words
  const command = commands.find(({ name }) => name === verb)
  if (words[0] === 'help' || given.some(({ name }) => name === 'help'))
    return command ? { kind: 'help', command } : { kind: 'help' }
  if (given.some(({ name }) => name === 'version')) return { kind: 'version' }
  if (!command) throw unknownVerb(verb, commands)
  return { kind: 'run', command, input: { args, ...sortOptions(given, command), ...(behind && { command: behind }) } }
}

const leastLikeness = 0.6

const unknownVerb = (verb: string | undefined, commands: readonly Command[]): UsageError => {
  if (verb === undefined) return new UsageError('no command given')
  const closest = commands
    .map(({ name }) => ({ name, likeness: likenessOfTexts(name, verb) }))
    .toSorted((one, other) => other.likeness - one.likeness)[0]
  const hint = closest && closest.likeness >= leastLikeness ? `; did you mean ${closest.name}?` : ''
  return new UsageError(`unknown command "${verb}"${hint}`)
}

/** What stands behind `--` is another program's, for a verb that starts one. */
const splitCommand = (argv: readonly string[], commands: readonly Command[]): { own: string[]; behind?: string[] } => {
  const end = argv.indexOf('--')
  const takes = commands.some(({ name, takesCommand }) => takesCommand && name === argv[0])
  return end < 0 || !takes ? { own: [...argv] } : { own: argv.slice(0, end), behind: argv.slice(end + 1) }
}

const knownOptions = (commands: readonly Command[]) => ({
  ...Object.fromEntries(
    commands.flatMap(({ flags, options = {} }) => [
      ...Object.keys(flags).map((name) => [name, { type: 'boolean' as const }]),
      ...Object.keys(options).map((name) => [name, { type: 'string' as const }]),
    ]),
  ),
  ...common,
})

interface OptionToken {
  name: string
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

const sortOptions = (given: OptionToken[], { name: verb, flags, options = {} }: Command): Omit<Input, 'args'> => {
  const found = { flags: new Set<string>(), options: new Map<string, string>() }
  for (const { name, rawName, value, inlineValue } of given) {
    if (Object.hasOwn(flags, name)) {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value`)
      found.flags.add(name)
    } else if (Object.hasOwn(options, name)) {
      if (found.options.has(name)) throw new UsageError(`${rawName} is given twice`)
      if (value === undefined) throw new UsageError(`${rawName} needs a value`)
      if (!inlineValue && value.startsWith('-')) {
        throw new UsageError(`${rawName} needs a value; one that starts with a dash is written ${rawName}=${value}`)
      }
      found.options.set(name, value)
    } else throw new UsageError(`${verb} has no flag ${rawName}`)
  }
  return found
}
