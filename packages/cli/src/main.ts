import { escapeInvisible } from '@retake/compare'
import { isRetakeError } from '@retake/trace'
import { type Command, exitCode, UsageError } from './command.ts'
import { accept, reject } from './commands/accept.ts'
import { assert } from './commands/assert.ts'
import { check } from './commands/check.ts'
import { ci } from './commands/ci.ts'
import { convert } from './commands/convert.ts'
import { demo } from './commands/demo.ts'
import { diff } from './commands/diff.ts'
import { fork } from './commands/fork.ts'
import { importCommand } from './commands/import.ts'
import { init } from './commands/init.ts'
import { inspect } from './commands/inspect.ts'
import { jest } from './commands/jest.ts'
import { list } from './commands/list.ts'
import { mv } from './commands/mv.ts'
import { prune } from './commands/prune.ts'
import { record } from './commands/record.ts'
import { replay } from './commands/replay.ts'
import { report } from './commands/report.ts'
import { review } from './commands/review.ts'
import { textconv } from './commands/textconv.ts'
import { verify } from './commands/verify.ts'
import { vitest } from './commands/vitest.ts'
import { renderCommandHelp, renderHelp } from './help.ts'
import { createProcessIo, type Io } from './io.ts'
import { parseArguments } from './parse-arguments.ts'
import { readVersion } from './version.ts'

const commands: readonly Command[] = [
  init,
  vitest,
  jest,
  record,
  replay,
  fork,
  verify,
  list,
  inspect,
  diff,
  assert,
  convert,
  importCommand,
  mv,
  prune,
  report,
  demo,
  check,
  review,
  accept,
  reject,
  textconv,
  ci,
]

/**
 * The `retake` command.
 * @param argv arguments without the program: `['verify', 'a.cassette.json']`
 * @returns the exit code: 0 yes, 1 no, 2 could not be judged; it never throws
 */
export const main = async (argv: string[], io: Io = createProcessIo()): Promise<number> => {
  try {
    const request = parseArguments(argv, commands)
    if (request.kind === 'run') return await request.command.run(request.input, io)
    if (request.kind === 'version') io.print(readVersion())
    else io.print(request.command ? renderCommandHelp(request.command, io.width) : renderHelp(commands, io.width))
    return exitCode.yes
  } catch (error) {
    io.warn(
      formatError(
        error,
        commands.find(({ name }) => name === argv[0]),
      ),
    )
    return exitCode.unknown
  }
}

const formatError = (error: unknown, command: Command | undefined): string => {
  const message = error instanceof Error ? error.message : String(error)
  const safe = message.split('\n').map(escapeInvisible).join('\n')
  if (error instanceof UsageError) return `retake: ${safe} (see retake ${command ? `${command.name} ` : ''}--help)`
  return isRetakeError(error) ? `retake: ${safe}` : `retake: this is a fault of retake itself: ${safe}`
}
