import { escapeInvisible } from '@retake/compare'
import { isRetakeError } from '@retake/trace'
import { acceptTake, rejectTake } from '../changes/settle-take.ts'
import { findNamedTakes, type Take } from '../changes/takes.ts'
import { type Command, exitCode, type Input, UsageError } from '../command.ts'
import type { Io } from '../io.ts'

const args = '<take, cassette or folder…>'
const details = [
  'Without a terminal it is what `retake review` does with one; `retake report --takes` shows what waits.',
  'Exit code: 0 done, 1 a take is stale or does not verify, 2 there is no such take.',
].join('\n')

export const accept: Command = {
  name: 'accept',
  args,
  summary: 'Put takes in the place of their cassettes',
  flags: {},
  details,
  run: (input, io) => settle(input, io, 'accepted', acceptTake),
}

export const reject: Command = {
  name: 'reject',
  args,
  summary: 'Delete takes; their cassettes stay as they are',
  flags: {},
  details,
  run: (input, io) => settle(input, io, 'rejected', rejectTake),
}

const settle = (
  { args: named }: Input,
  io: Io,
  word: 'accepted' | 'rejected',
  act: (take: Take, cwd: string) => void,
): number => {
  if (named.length === 0) throw new UsageError(`name the takes that are ${word}; . stands for all that wait here`)
  let isDone = true
  for (const take of findNamedTakes(named, io.cwd)) {
    try {
      act(take, io.cwd)
      io.print(`${word}  ${escapeInvisible(take.cassette)}`)
    } catch (error) {
      if (!isRetakeError(error)) throw error
      io.warn(`retake: ${error.message.split('\n').map(escapeInvisible).join('\n')}`)
      isDone = false
    }
  }
  return isDone ? exitCode.yes : exitCode.no
}
