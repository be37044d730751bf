export { loadCassette, loadTrace, readText } from './cassette-disk.ts'
export type { CassetteFile, CassetteFormat, CassetteTest, StepExtras } from './cassette-file.ts'
export { createChainHasher } from './chain-hasher.ts'
export { checkWritable } from './check-writable.ts'
export {
  CassetteConflictError,
  CassetteCorruptError,
  CassetteVersionError,
  ConfigError,
  isRetakeError,
  RecordedDependencyError,
  ReplayMissError,
  RetakeError,
  SecretFoundError,
  StepforkReplayError,
  UnsupportedError,
} from './error.ts'
export { type FormatOptions, formatCassette, formatTrace } from './format-cassette.ts'
export { isError } from './is-error.ts'
export { canonicalJson } from './json/canonical-json.ts'
export { deepFreeze } from './json/deep-freeze.ts'
export { Fault } from './json/fault.ts'
export { isJsonObject, type JsonObject, type JsonValue, parseJson } from './json/json.ts'
export { formatPath, formatWhere, type JsonPath } from './json/json-path.ts'
export { type ReadLimits, readJson, reportFaults } from './json/read-json.ts'
export { sameJson } from './json/same-json.ts'
export { toStoredJson } from './json/stored-json.ts'
export { findNeutralityMarkers, maskMarkers, type NeutralityMarker } from './neutrality.ts'
export { type ParseOptions, parseCassette, parseTrace, parseUnsealed } from './parse-cassette.ts'
export { saveCassette, saveTrace } from './save-cassette.ts'
export { type GivenKey, isKeyLike, isOrdinaryWord, keysOfRequest } from './secrets/given-keys.ts'
export type { SecretLiteral } from './secrets/secret-literals.ts'
export { refuseAllSecrets, scanSecrets } from './secrets/secret-scan.ts'
export { findSecrets, maskSecrets, refuseSecrets, type SecretOptions, type SecretPlace } from './secrets/secrets.ts'
export { type HashedStep, sha256, stepHash } from './step-hash.ts'
export { stepLine } from './step-line.ts'
export { storedPayloads } from './stored-payloads.ts'
export { cassetteHash, parseTakePath, type TakePlace, takePath } from './take-path.ts'
export { type TerminalOutcome, terminalOutcome } from './terminal-outcome.ts'
export { finalAnswerOf, toolCallsOf, toolPathOf } from './tool-calls.ts'
export {
  CURRENT_TRACE_VERSION,
  type MediaPart,
  type Message,
  type MessagePart,
  type ModelError,
  type ModelInput,
  type ModelOutput,
  type ReasoningPart,
  type RefusalPart,
  type ReplyPart,
  type Stop,
  type TextPart,
  type ToolCall,
  type ToolCallPayload,
  type ToolDefinition,
  type ToolResultPart,
  type ToolResultPayload,
  type ToolUsePart,
  type Trace,
  type TraceStep,
  type TraceStepType,
} from './trace.ts'
export { type TraceHeader, TraceRecorder } from './trace-recorder.ts'
export type { VerifyCheck, VerifyReport } from './verify/check.ts'
export { checkPayloadShape } from './verify/payload-shape.ts'
export { verifyCassette } from './verify/verify-cassette.ts'
export { verifyFile, verifyText } from './verify/verify-file.ts'
export { verifyTrace } from './verify/verify-trace.ts'
