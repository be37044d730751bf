import type { RecordedReply } from '@retake/session'
import { hasColors } from './colors.ts'
import { late } from './load-late.ts'

/** What the reporter lets the processes that run tests tell: at a terminal each reply, elsewhere what still records. */
type Told = 'replies' | 'heartbeat'

const variable = 'RETAKE_JEST_PROGRESS'
const heartbeat = 30_000

/** For the processes that run tests, which inherit it, and have no terminal. */
export const allowProgress = (isTerminal: boolean): void => {
  const told: Told = isTerminal ? 'replies' : 'heartbeat'
  process.env[variable] = told
}

/** A recording, as who waits hears of it. */
export interface RecordingProgress {
  replied(reply: RecordedReply): void
  end(): void
}

/**
 * Begins to tell of a recording, where the reporter is there to allow it. On stderr: Jest passes on what its workers write
 * there, above the rows in which it shows what runs.
 * @param test its full name
 */
export const tellRecording = (test: string): RecordingProgress | undefined => {
  const told = process.env[variable]
  const since = Date.now()
  let replies = 0
  const log = (line: string) => void process.stderr.write(`${line}\n`)
  if (told === 'replies') {
    return {
      replied: (reply) => log(late().renderRecordedReply(test, reply, hasColors())),
      end() {},
    }
  }
  if (told !== 'heartbeat') return undefined
  const timer = setInterval(() => log(late().renderStillRecording(test, replies, Date.now() - since)), heartbeat)
  timer.unref()
  return {
    replied({ request }) {
      replies = request
    },
    end: () => clearInterval(timer),
  }
}
