import type { ApplicationTraceRecord, TraceCategory } from './application-trace.ts'
import type { TraceCapture } from './trace-capture.ts'

/** How a conversation handled a turn, as `conversation.onTrace` tells it. */
export interface TurnTrace {
  readonly kind: 'deterministic' | 'agentic' | 'repaired' | 'fallback'
  readonly routeId?: string | undefined
  readonly fromState: string
  readonly toState: string
}

/** What a capability policy decided, as its `onTrace` tells it. */
export interface ActionPolicyTrace {
  readonly id: string
  readonly toolCallId: string
  readonly action: string
  readonly phase: string
  readonly decision: string
  readonly reason: string
  readonly requiredCapabilities: readonly string[]
  /** Milliseconds since the epoch, or a text or `Date` that says the same. */
  readonly timestamp: number | string | Date
}

/** An action that waits for the user's word, or has it. Its token and its input are not captured. */
export interface ActionConfirmation {
  readonly action: string
  readonly toolCallId: string
  readonly status: string
  readonly expiresAt: unknown
}

const categories: Readonly<Record<TurnTrace['kind'], TraceCategory>> = {
  deterministic: 'route',
  agentic: 'agent',
  repaired: 'repair',
  fallback: 'fallback',
}

const under = (parentId: string | undefined) => (parentId === undefined ? {} : { parentId })

/** Adds how a turn was handled: by a route, the agent, a repair or a fallback. */
export const captureTurnTrace = (
  capture: TraceCapture,
  { kind, routeId, fromState, toState }: TurnTrace,
  parentId?: string,
): ApplicationTraceRecord =>
  capture.append({
    category: categories[kind] ?? 'fallback',
    detail: { kind, ...(routeId !== undefined && { routeId }), fromState, toState },
    ...under(parentId),
  })

/** Adds what a policy decided, at the time it did. */
export const captureActionPolicyTrace = (
  capture: TraceCapture,
  { id, toolCallId, action, phase, decision, reason, requiredCapabilities, timestamp }: ActionPolicyTrace,
  parentId?: string,
): ApplicationTraceRecord =>
  capture.append({
    category: 'policy',
    at: toIsoTime(timestamp),
    detail: { policyTraceId: id, toolCallId, action, phase, decision, reason, requiredCapabilities },
    ...under(parentId),
  })

/** What is no time stays as it is, for the capture to refuse it. */
const toIsoTime = (timestamp: number | string | Date): string => {
  const time = new Date(timestamp)
  return Number.isNaN(time.getTime()) ? String(timestamp) : time.toISOString()
}

/** Adds how far an action came; neither its input nor its token. */
export const captureActionTrace = (
  capture: TraceCapture,
  { action, toolCallId, status, expiresAt }: ActionConfirmation,
  parentId?: string,
): ApplicationTraceRecord =>
  capture.append({ category: 'action', detail: { action, toolCallId, status, expiresAt }, ...under(parentId) })
