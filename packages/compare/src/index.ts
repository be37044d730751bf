export { type Aligned, alignLists } from './align.ts'
export { alignMessages } from './align-messages.ts'
export {
  type AssertReport,
  assertCassette,
  assertVerified,
  type ExpectationCheck,
  type Expectations,
} from './assert-cassette.ts'
export { type ClosestRequest, closestRequest } from './closest-request.ts'
export { toComparable } from './comparable.ts'
export { type CompareOptions, compareRequests, equalComparable, equalRequests } from './compare-requests.ts'
export { compareValues } from './compare-values.ts'
export { continueTrace, type NewStep } from './continue-trace.ts'
export { alignConversations, type UtterancePair } from './conversation/align-conversations.ts'
export { type Change, changeKey } from './conversation/change.ts'
export {
  type BeforeAfter,
  type CassetteComparison,
  type CassettePair,
  type Cause,
  type ConversationChange,
  compareCassettes,
} from './conversation/compare-cassettes.ts'
export { compareRuns, type RunComparison } from './conversation/compare-runs.ts'
export { toConversation } from './conversation/to-conversation.ts'
export type { Utterance } from './conversation/utterance.ts'
export { diffOutcome, type OutcomeDiff } from './diff-outcome.ts'
export { diffTraces, diffTracesSemantic, type TraceDiff, type TraceDifference } from './diff-traces.ts'
export type { Difference } from './difference.ts'
export { equalJson } from './equal-json.ts'
export { type ForkOptions, forkTrace } from './fork-trace.ts'
export { escapeInvisible, formatDifference, formatValue } from './format-difference.ts'
export { formatMismatch } from './format-mismatch.ts'
export { withoutIgnored } from './ignore.ts'
export { likenessOfTexts } from './likeness.ts'
export { ANY, type PathPattern, parsePath, parsePathIn, requestRoots } from './path.ts'
export { toHistory } from './to-history.ts'
export { nextToolCallId } from './tool-call-ids.ts'
