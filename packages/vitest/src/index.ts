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
export { expectCassette } from './expect-cassette.ts'
export { type RetakePlugin, retake } from './retake.ts'
export { useCassette } from './use-cassette.ts'
