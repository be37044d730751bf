/** What is loaded when a cassette is there: an entry of its own, since every test file pays for what comes before. */
export { expectRun } from '@retake/report/expectations'
export { startSeam } from '@retake/session'
export { finishTest } from './finish-test.ts'
export { presentFileErrors } from './present-errors.ts'
export { useInTask } from './use-in-task.ts'
