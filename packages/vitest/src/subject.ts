import type { Cassette } from '@retake/session'
import { ConfigError, isJsonObject, loadTrace, type TerminalOutcome, type Trace, terminalOutcome } from '@retake/trace'

/** A run, and the file it was read from where there is one. */
export interface Subject {
  trace: Trace
  file?: string
  /** The run of a cassette in use, which may go on. */
  isOpen?: boolean
}

/**
 * What there is to look at.
 * @throws ConfigError for a cassette that is off, and where a file cannot be read
 */
export const toSubject = (subject: Cassette | Trace | string): Subject => {
  if (typeof subject === 'string') return { trace: loadTrace(subject), file: subject }
  if ('steps' in subject) return { trace: subject }
  if (subject.state === 'off') {
    throw new ConfigError('expectCassette() has nothing to look at: this cassette is off', { cassette: subject.path })
  }
  return { trace: subject.trace, isOpen: true }
}

/** How a run ended. One that is open ends as finishing it now would: with success where its last reply is an answer. */
export const outcomeOf = ({ trace, isOpen }: Subject): TerminalOutcome => {
  const outcome = terminalOutcome(trace)
  if (outcome.status !== 'incomplete' || !isOpen) return outcome
  const lastRequest = trace.steps.findLastIndex(({ type }) => type === 'model_input')
  const reply = trace.steps.slice(lastRequest + 1).find(({ type }) => type === 'model_output')?.payload
  return isJsonObject(reply) && reply.type === 'final_answer'
    ? { status: 'success', result: String(reply.text) }
    : outcome
}
