import { type TerminalOutcome, type Trace, terminalOutcome } from '@retake/trace'
import type { CassetteResult } from '../cassette.ts'
import { formats } from '../late-formats.ts'

/** What became of a session. */
export interface FinishSummary {
  mode: 'record' | 'replay' | 'fork' | 'off'
  kind: CassetteResult['kind']
  /** Absolute path of the cassette; absent where there is none. */
  path?: string
  /** Steps of the cassette. */
  steps: number
  status: TerminalOutcome['status']
  /** Replaying: its steps that were given back. */
  replayedSteps?: number
}

type Ended = Pick<CassetteResult, 'kind' | 'path'> & { trace: Trace }

/** Counts what stands in the file, which is what the next run gets. */
export function toSummary(mode: FinishSummary['mode'], { kind, path, trace: run }: Ended): FinishSummary {
  if (kind === 'off' || kind === 'discarded') return { mode, kind, steps: 0, status: 'incomplete' }
  const isOnDisk = kind !== 'scripted'
  const trace = isOnDisk ? formats().readRun(path).trace : run
  const { status } = terminalOutcome(trace)
  const steps = trace.steps.length
  return { mode, kind, ...(isOnDisk && { path }), steps, status, ...(kind === 'replayed' && { replayedSteps: steps }) }
}
