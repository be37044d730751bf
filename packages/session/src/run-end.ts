import { type JsonObject, maskMarkers, maskSecrets, type SecretLiteral } from '@retake/trace'
import type { Redaction } from './redact/redaction.ts'

/** How a run ended, told by whoever ran it. Nothing of it: with its last answer, where its last reply is one. */
export type RunEnd =
  | { result?: string }
  | { error: string }
  /** The process ended without `finish()`; `inFlight`: model calls and wrapped tools that were still running then. */
  | { exitCode: number; inFlight: number }

interface TerminalOptions {
  /** The text of the last reply, where that is a final answer. */
  answer: string | undefined
  redaction: Redaction | undefined
  /** Literal values that must not be stored, for error messages. */
  secrets?: readonly SecretLiteral[]
}

/** The payload of the terminal step (trace format page, "Terminal Metadata Payloads"); undefined for a run without one. */
export function toTerminal(end: RunEnd, { answer, redaction, secrets = [] }: TerminalOptions): JsonObject | undefined {
  if ('error' in end) {
    const { error } = redaction?.result({ error: end.error }) ?? end
    const message = maskMarkers(maskSecrets(error, secrets))
    return { event: 'run_failed', status: 'error', reason: 'agent_error', message }
  }
  if ('exitCode' in end) {
    const { exitCode, inFlight } = end
    if (inFlight > 0) return { event: 'run_failed', status: 'error', reason: 'calls_in_flight', exitCode, inFlight }
    if (exitCode !== 0) return { event: 'run_failed', status: 'error', reason: 'process_exit', exitCode }
    return toCompleted(answer)
  }
  if (end.result === undefined) return toCompleted(answer)
  return toCompleted(redaction?.result({ result: end.result }).result ?? end.result)
}

const toCompleted = (result: string | undefined): JsonObject | undefined =>
  result === undefined ? undefined : { event: 'run_completed', status: 'success', result }
