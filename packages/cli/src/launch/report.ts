import { existsSync, readFileSync } from 'node:fs'
import type { TerminalOutcome } from '@retake/trace'

/** What the session of a command tells at its end. Written by the session; this side only reads it. */
export type Report =
  | {
      ok: true
      kind: 'recorded' | 'updated' | 'waiting' | 'unchanged' | 'replayed' | 'scripted' | 'discarded' | 'off'
      path?: string
      steps: number
      status: TerminalOutcome['status']
      replayedSteps?: number
      /** For a session that the agent's code opened: did it call `finish()`? */
      finished?: boolean
    }
  | { ok: false; error: ReportedError }

export interface ReportedError {
  name: string
  message: string
  code?: string
  details?: Record<string, unknown>
}

/** That a second process was refused counts more than how the first one ended. */
export const readReport = (path: string): Report | undefined => readIfThere(`${path}.refused`) ?? readIfThere(path)

const readIfThere = (path: string): Report | undefined => {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    // Killed while it was written.
    return undefined
  }
}

/** A process of the command made a model call, and has the cassette. */
export const isClaimed = (path: string): boolean => existsSync(`${path}.claim`)
