import { ConfigError, type RetakeError } from '@retake/trace'
import { setPlaceholders } from '../api-keys.ts'
import type { Cassette, CassetteSession, OpenCassette } from '../cassette.ts'
import { LateRequestError } from '../errors.ts'
import { openCassette } from '../open-cassette.ts'
import type { RunEnd } from '../run-end.ts'
import { claimRun, writeReport } from './report.ts'
import type { SessionSettings } from './session-settings.ts'
import { type StoredError, toStoredError } from './stored-error.ts'
import { type FinishSummary, toSummary } from './summary.ts'
import { watchExit } from './watch-exit.ts'
import { writeAtExit } from './write-at-exit.ts'

/** A cassette that lives as long as its process, or until it is finished. */
export interface ProcessSession {
  readonly cassette: Cassette
  /** True once a model call, or a wrapped tool, was made in it. */
  isUsed(): boolean
  /** @throws the first error of the run */
  finish(end: RunEnd): Promise<FinishSummary>
  /** Ends it as if it had never been. */
  discard(): void
}

interface StartOptions {
  /** It counts although nothing may come to be used: code asked for it. */
  asked: boolean
}

/** @throws as `openCassette` */
export function startProcessSession({ open, report }: SessionSettings, { asked }: StartOptions): ProcessSession {
  let isUsed = false
  let isOver = false
  let told: RunEnd | undefined
  let unwatch: (() => void) | undefined
  const session = openCassette({ ...open, refuseUse })
  const mode = open.fork ? 'fork' : modeOf(session)
  if (asked) watch()
  if (isOffline(open, session)) setPlaceholders()
  return { cassette: session.cassette, isUsed: () => isUsed, finish, discard }

  function refuseUse(): RetakeError | undefined {
    if (isOver) return finishedError(open.test.name)
    if (isUsed) return undefined
    const refusal = report === undefined ? undefined : claimRun(report, open.path)
    if (refusal) return refusal
    isUsed = true
    watch()
    return undefined
  }

  function watch(): void {
    unwatch ??= watchExit(endAtExit)
  }

  async function finish(end: RunEnd): Promise<FinishSummary> {
    isOver = true
    told = end
    try {
      const result = await session.finish('passed', end)
      const [first] = result.errors
      if (first) throw first
      const summary = toSummary(mode, { ...result, trace: session.cassette.trace })
      if (report !== undefined) writeReport(report, { ok: true, finished: true, ...summary })
      return summary
    } catch (error) {
      if (report !== undefined) writeReport(report, { ok: false, mode, error: toStoredError(error) })
      throw error
    } finally {
      unwatch?.()
    }
  }

  function endAtExit(exitCode: number): void {
    const result = session.finishAtExit(told ?? { exitCode, inFlight: 0 })
    const [first] = result.errors
    const written = result.write ? writeAtExit(result.write) : { kind: result.kind }
    if (first) failAtExit(toStoredError(first), exitCode)
    else if ('error' in written) failAtExit(written.error, exitCode)
    else if (report !== undefined) {
      writeReport(report, {
        ok: true,
        ...(asked && { finished: false }),
        ...toSummary(mode, { ...result, ...written, trace: session.cassette.trace }),
      })
    }
  }

  function failAtExit(error: StoredError, exitCode: number): void {
    if (report === undefined) process.stderr.write(`[retake] ${error.message}\n`)
    else writeReport(report, { ok: false, mode, error })
    if (exitCode === 0) process.exitCode = 1
  }

  function discard(): void {
    unwatch?.()
    // It has no request to wait for.
    void session.finish('skipped')
  }
}

/** Nobody is asked who would want a key. */
const isOffline = ({ fork }: OpenCassette, { cassette }: CassetteSession): boolean =>
  cassette.state === 'replaying' || Array.isArray(fork?.then)

const modeOf = ({ cassette: { state } }: CassetteSession): FinishSummary['mode'] => {
  if (state === 'off') return 'off'
  return state === 'recording' ? 'record' : 'replay'
}

const finishedError = (label: string): LateRequestError =>
  new LateRequestError(`the session "${label}" is finished; it takes no more model calls and runs no more tools`, {
    test: label,
  })

/** @throws ConfigError where both are given, or the result is no text */
export function toRunEnd({ result, error }: { result?: string; error?: unknown }): RunEnd {
  if (result !== undefined && error !== undefined) {
    throw new ConfigError('finish() takes a result or an error, not both', { options: ['result', 'error'] })
  }
  if (error !== undefined) return { error: error instanceof Error ? error.message : String(error) }
  if (result === undefined) return {}
  if (typeof result === 'string') return { result }
  throw new ConfigError('finish({ result }) takes a text', { option: 'result' })
}
