import type { RecordedReply } from '@retake/session'
import type { TaskRun, WorkerState } from './worker-state.ts'

/** What a worker tells while a test records: it reaches reporters at once. */
interface RecordingArtifact {
  type: 'retake:recording'
  /** Full name of the test. */
  test: string
  /** Absent when it begins. */
  reply?: RecordedReply
}

declare module 'vitest' {
  interface TestArtifactRegistry {
    'retake:recording': RecordingArtifact
  }
}

export const sendProgress = (state: WorkerState, { task, scope }: TaskRun, reply?: RecordedReply): void => {
  const artifact = { type: 'retake:recording' as const, test: scope.label, ...(reply && { reply }) }
  // A test that is over takes none any more; then there is nobody who waits.
  state.vitest.recordArtifact(task, artifact).catch(() => {})
}
