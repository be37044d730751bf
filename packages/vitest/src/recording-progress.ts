import type { RecordedReply } from '@retake/session'
import c from 'tinyrainbow'
import type { Reporter, Vitest } from 'vitest/node'
import type { TaskRun, WorkerState } from './worker-state.ts'

/** What a worker tells while a test records: it reaches reporters at once. */
interface RecordingArtifact extends RecordedReply {
  type: 'retake:recording'
  /** Full name of the test. */
  test: string
}

declare module 'vitest' {
  interface TestArtifactRegistry {
    'retake:recording': RecordingArtifact
  }
}

export const sendProgress = (state: WorkerState, { task, scope }: TaskRun, reply: RecordedReply): void => {
  const artifact = { type: 'retake:recording' as const, test: scope.label, ...reply }
  // A test that is over takes none any more; then there is nobody who waits.
  state.vitest.recordArtifact(task, artifact).catch(() => {})
}

const reporting = new WeakSet<object>()

/** A line for each reply, above the window in which Vitest shows what runs. Once a run, and for people only. */
export const showProgress = (vitest: Vitest): void => {
  if (reporting.has(vitest.config)) return
  reporting.add(vitest.config)
  const reporter: Reporter = {
    onTestCaseArtifactRecord(_test, artifact) {
      if (artifact.type === 'retake:recording') vitest.logger.log(renderProgress(artifact))
    },
  }
  ;(vitest.config.reporters as unknown[]).push(reporter)
}

const renderProgress = ({ test, request, tools, tokens, duration }: Omit<RecordingArtifact, 'type'>): string => {
  const said = tools.length > 0 ? `→ ${tools.join(', ')}` : 'answer'
  const facts = [`request ${request}`, said, ...(tokens === undefined ? [] : [`${formatCount(tokens)} tokens`])]
  return ` ${c.red('●')} recording  ${test}  ${c.dim([...facts, `${(duration / 1000).toFixed(1)} s`].join('   '))}`
}

const formatCount = (count: number): string => (count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`)
