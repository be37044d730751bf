export type { CassetteMatchers } from '@retake/report/expectations'
export {
  type Cassette,
  type CassetteOptions,
  type Mode,
  modelInput,
  type ScriptedReply,
  type StepSelector,
  toolResult,
} from '@retake/session'
export type { CassetteReport, RetakeOptions } from '@retake/session/runner'
export { expectCassette, useCassette, withRetake } from './test-side.ts'
