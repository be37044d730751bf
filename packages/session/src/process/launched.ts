import { ConfigError } from '@retake/trace'
import { type ProcessSession, startProcessSession } from './process-session.ts'
import { writeReport } from './report.ts'
import { type SessionOptions, toSessionSettings } from './session-settings.ts'
import { toStoredError } from './stored-error.ts'

/** What a process has that the `retake` command started. */
interface Launched {
  /** Opened by the preload, for an agent that knows nothing of retake. */
  preloaded?: ProcessSession | undefined
  /** Code opened one itself. */
  asked?: true
}

// One state a process: the command may bring another copy of retake than the agent.
const globals = globalThis as { [key: symbol]: unknown }
const key = Symbol.for('retake.launched')
globals[key] ??= {}
const launched = globals[key] as Launched

/**
 * Opens the session of a process that the command started, before any of its code runs.
 * @throws ConfigError for a bad variable; as `openCassette`
 */
export const startPreloaded = (): void =>
  reported(() => {
    launched.preloaded = startProcessSession(toSessionSettings({}), { asked: false })
  })

/**
 * The session that the preload opened.
 * @throws ConfigError for a process that was started without it
 */
export function preloadedSession(): ProcessSession {
  if (launched.preloaded) return launched.preloaded
  throw new ConfigError('this process was not started by the retake command')
}

/**
 * Opens the session that code asks for. Of a command it takes the place of the preloaded one.
 * @throws ConfigError for a second one, or one that comes after the first model call; as `openCassette`
 */
export const startAsked = (options: SessionOptions): ProcessSession =>
  reported(() => {
    const settings = toSessionSettings(options)
    if (settings.report === undefined) return startProcessSession(settings, { asked: true })
    if (launched.asked) throw new ConfigError('a command of retake has one session; createSession() was called twice')
    if (launched.preloaded?.isUsed()) {
      throw new ConfigError('createSession() comes too late: the agent made a model call before it')
    }
    launched.preloaded?.discard()
    launched.preloaded = undefined
    const session = startProcessSession(settings, { asked: true })
    launched.asked = true
    return session
  })

/** The command says why there is no session; what the agent does with the error is its own business. */
function reported<T>(start: () => T): T {
  try {
    return start()
  } catch (error) {
    tellRefusal(error)
    throw error
  }
}

/** Tells the command why a process has no session. */
export function tellRefusal(error: unknown): void {
  const report = process.env.RETAKE_REPORT
  if (report) writeReport(report, { ok: false, mode: 'off', error: toStoredError(error) })
}
