export { compareRequests, type Difference, diffOutcome, diffTraces, diffTracesSemantic } from '@retake/compare'
