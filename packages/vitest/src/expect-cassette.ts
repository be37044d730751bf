import type { CassetteMatchers } from '@retake/report/expectations'
import type { Cassette } from '@retake/session'
import { ConfigError, type Trace } from '@retake/trace'
import { late } from './load-late.ts'
import { report } from './load-report.ts'
import { currentRun } from './task-run.ts'
import { workerState } from './worker-state.ts'

/**
 * Expectations about the run of a cassette so far, about a trace, or about the cassette file at a path.
 *
 * @throws ConfigError without the plugin, for a cassette that is off, and where the file cannot be read
 * @throws CassetteCorruptError, CassetteConflictError, CassetteVersionError for a file that is no cassette
 */
export const expectCassette = (subject: Cassette | Trace | string): CassetteMatchers => {
  const state = workerState()
  if (!state) {
    throw new ConfigError('expectCassette() needs the plugin: add retake() to the plugins of the Vitest config')
  }
  const matchTranscript = (text: string) => {
    const task = currentRun(state)?.task
    // The global `expect` does not know which of several concurrent tests it is in.
    const { expect } = task?.concurrent ? task.context : state.vitest
    expect(text).toMatchSnapshot('transcript')
  }
  return late().expectRun({ expect: state.vitest.expect, renderers: report, matchTranscript }, subject)
}
