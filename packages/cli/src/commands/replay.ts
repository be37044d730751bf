import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '@retake/trace'
import { type Command, type Input, UsageError } from '../command.ts'
import { openForeign } from '../foreign-file.ts'
import { formatSteps } from '../format-steps.ts'
import type { Io } from '../io.ts'
import { defaultCassette } from '../launch/default-cassette.ts'
import { formatCommand } from '../launch/format-command.ts'
import { launch } from '../launch/launch.ts'
import { reportOutcome } from '../launch/report-outcome.ts'
import { sessionOptions, toSessionVariables } from '../launch/session-options.ts'
import { toMatch } from '../launch/to-match.ts'
import { oneFile } from '../one-file.ts'
import { readCassette } from '../read-cassette.ts'
import { inspect } from './inspect.ts'

export const replay: Command = {
  name: 'replay',
  args: '[file] [-- <command…>]',
  summary: 'Run an agent on a recording, without network; without a command, show the run',
  options: {
    match: ['strict|sequence', 'Compare each request, or serve the replies in order [strict]'],
    ...sessionOptions,
  },
  flags: { json: 'Without a command: print one JSON document' },
  takesCommand: true,
  details: [
    'The agent gets the recorded replies, and the recorded results of tools that it wraps. It fails where the agent asks',
    'for something else, does not ask for all of it, or ends otherwise. Without a file: the one that `retake record`',
    'writes for the same command.',
    'Exit code: that of the command; 1 where it is 0 and the run differs.',
  ].join('\n'),

  run(input, io) {
    const { command, args, options, flags } = input
    if (command) return replayCommand(input, command, io)
    if (args.length === 0) throw new UsageError('replay needs a command behind --, or a cassette to show')
    oneFile('replay', args)
    const [option] = options.keys()
    if (option) throw new UsageError(`--${option} needs a command: retake replay <file> -- node agent.mjs`)
    return inspect.run({ args, flags, options: new Map() }, io)
  },
}

const replayCommand = async ({ args, options, flags }: Input, command: string[], io: Io): Promise<number> => {
  if (command.length === 0) throw new UsageError('replay needs a command behind --')
  if (flags.has('json')) throw new UsageError('--json is for a replay without a command, which has standard output')
  const match = toMatch(options)
  const file = args.length === 0 ? defaultCassette(command) : oneFile('replay', args)
  if (args.length === 0 && !existsSync(resolve(io.cwd, file))) {
    throw new ConfigError(
      `there is no recording of this command: ${file}\n  Record it: npx retake record -- ${formatCommand(command)}`,
      { path: file },
    )
  }
  if (!openForeign(resolve(io.cwd, file))) readCassette(file, io)
  const told = { CASSETTE: resolve(io.cwd, file), ...(match && { MATCH: match }), ...toSessionVariables(options) }
  const launched = await launch({ mode: 'replay', command, cwd: io.cwd, told })
  return reportOutcome(launched, {
    verb: 'replay',
    io,
    success: (report) => [
      `PASS replayed ${formatSteps(report.steps)} from ${file} with no network calls (${report.status})`,
    ],
  })
}
