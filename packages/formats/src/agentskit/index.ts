export type {
  AdapterChunk,
  AdapterFactory,
  AdapterMessage,
  AdapterRequest,
  AdapterSource,
  AdapterTool,
} from './adapter.ts'
export {
  type AdapterCassette,
  type AdapterCassetteEntry,
  createAdapterCassette,
  parseAdapterCassette,
  serializeAdapterCassette,
} from './adapter-cassette.ts'
export type { ApplicationTraceRecord, TraceCategory } from './application-trace.ts'
export {
  type ActionConfirmation,
  type ActionPolicyTrace,
  captureActionPolicyTrace,
  captureActionTrace,
  captureTurnTrace,
  type TurnTrace,
} from './captured-events.ts'
export { createRecordingAdapter, type RecordingAdapter } from './recording-adapter.ts'
export {
  compareRendererOutcomes,
  type ParityMismatch,
  type RendererOutcome,
  type RendererParityReport,
  type SemanticOutcome,
} from './renderer-outcomes.ts'
export { createReplayAdapter, type ReplayAdapterMode, type ReplayAdapterOptions } from './replay-adapter.ts'
export {
  createReplayFixture,
  parseReplayFixture,
  type ReplayFixture,
  serializeReplayFixture,
} from './replay-fixture.ts'
export { fingerprintAdapterRequest } from './request-fingerprint.ts'
export { createTraceCapture, type TraceCapture, type TraceCaptureOptions, type TraceInput } from './trace-capture.ts'
export { toAgentskit } from './write-fixture.ts'
