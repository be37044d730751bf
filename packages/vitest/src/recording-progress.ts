import colours from 'tinyrainbow'
import type { Reporter, Vitest } from 'vitest/node'
import { report } from './load-report.ts'

/** A test that records now. */
interface Recording {
  test: string
  replies: number
  since: number
}

const reporting = new WeakSet<object>()
const heartbeat = 30_000

/**
 * Tells who waits what is being recorded: at a terminal each reply, above the window in which Vitest shows what runs;
 * elsewhere, every 30 s, what still is. And what a run that was stopped threw away. Once a run.
 */
export const showProgress = (vitest: Vitest, isTerminal: boolean): void => {
  if (reporting.has(vitest.config)) return
  reporting.add(vitest.config)
  ;(vitest.config.reporters as unknown[]).push(createProgressReporter((line) => vitest.logger.log(line), isTerminal))
}

export const createProgressReporter = (log: (line: string) => void, isTerminal: boolean): Reporter => {
  const recordings = new Map<string, Recording>()
  let timer: ReturnType<typeof setInterval> | undefined
  const tellStopped = () => {
    for (const recording of recordings.values()) log(renderStopped(recording))
  }
  const stop = () => {
    clearInterval(timer)
    process.off('exit', tellStopped)
  }
  return {
    onTestRunStart() {
      stop()
      recordings.clear()
      // Ctrl-C ends `vitest run` without an end of the run.
      process.once('exit', tellStopped)
      if (isTerminal) return
      timer = setInterval(() => {
        const { renderStillRecording } = report()
        for (const { test, replies, since } of recordings.values()) {
          log(renderStillRecording(test, replies, Date.now() - since))
        }
      }, heartbeat)
      timer.unref()
    },
    onTestCaseArtifactRecord(testCase, artifact) {
      // What is told of a test that does not wait for a model may come after its end.
      if (artifact.type !== 'retake:recording' || testCase.result().state !== 'pending') return
      const { id } = testCase
      const { test, reply } = artifact
      const since = recordings.get(id)?.since ?? Date.now()
      recordings.set(id, { test, replies: reply?.request ?? 0, since })
      if (reply && isTerminal) log(report().renderRecordedReply(test, reply, colours.isColorSupported))
    },
    onTestCaseResult(test) {
      // Where the run is stopped, what was running ends as skipped.
      if (test.result().state !== 'skipped') recordings.delete(test.id)
    },
    onTestRunEnd(_modules, _errors, reason) {
      stop()
      if (reason === 'interrupted') tellStopped()
    },
  }
}

const renderStopped = ({ test, replies }: Recording): string =>
  `[retake] stopped while recording "${test}", after ${replies} ${replies === 1 ? 'reply' : 'replies'}: nothing of it was written`
