export {
  type Cassette,
  type CassetteOptions,
  type Mode,
  modelInput,
  type ScriptedReply,
  type StepSelector,
  toolResult,
} from '@retake/session'
export type { CassetteReport } from './cassette-report.ts'
export type { RetakeOptions } from './check-options.ts'
export { type CassetteMatchers, expectCassette } from './expect-cassette.ts'
export { type RetakePlugin, retake } from './retake.ts'
export { useCassette } from './use-cassette.ts'
