import { type TerminalOutcome, type Trace, terminalOutcome, toolPathOf } from '@retake/trace'
import { equalJson } from './equal-json.ts'

/** Whether two runs did the same: how they ended, with what, and which tools were called on the way. */
export interface OutcomeDiff {
  parentStatus: TerminalOutcome['status']
  childStatus: TerminalOutcome['status']
  /** The final answer, or for a failed run its reason and message; absent for an incomplete one. */
  parentResult?: string
  childResult?: string
  parentTools: string[]
  childTools: string[]
  statusChanged: boolean
  /** The result differs: the answer of a successful run, the reason of a failed one. */
  finalAnswerChanged: boolean
  toolSequenceChanged: boolean
  /** Nothing of the three changed. */
  behaviorallyEquivalent: boolean
  /** One sentence about the weightiest change: status, then result, then tools, then none. */
  verdict: string
}

/** Compares what two runs did, by exact strings. */
export const diffOutcome = (parent: Trace, child: Trace): OutcomeDiff => {
  const [before, after] = [terminalOutcome(parent), terminalOutcome(child)]
  const [parentResult, childResult] = [resultOf(before), resultOf(after)]
  const [parentTools, childTools] = [toolPathOf(parent), toolPathOf(child)]
  const changes = {
    statusChanged: before.status !== after.status,
    finalAnswerChanged: parentResult !== childResult,
    toolSequenceChanged: !equalJson(parentTools, childTools),
  }
  return {
    parentStatus: before.status,
    childStatus: after.status,
    ...(parentResult !== undefined && { parentResult }),
    ...(childResult !== undefined && { childResult }),
    parentTools,
    childTools,
    ...changes,
    behaviorallyEquivalent: !Object.values(changes).includes(true),
    verdict: verdictOf(before, after, changes),
  }
}

const resultOf = (outcome: TerminalOutcome): string | undefined => {
  if (outcome.status === 'success') return outcome.result
  if (outcome.status === 'incomplete') return undefined
  const { message } = outcome.payload
  return typeof message === 'string' ? `${outcome.reason}: ${message}` : outcome.reason
}

type Changes = Pick<OutcomeDiff, 'statusChanged' | 'finalAnswerChanged' | 'toolSequenceChanged'>

const verdictOf = (before: TerminalOutcome, after: TerminalOutcome, changes: Changes): string => {
  if (changes.statusChanged) return `outcome flipped: parent ${before.status} → child ${after.status}`
  if (changes.finalAnswerChanged) {
    const what = before.status === 'error' ? 'failure reason' : 'final answer'
    return `same final status (${before.status}), but the ${what} changed`
  }
  if (changes.toolSequenceChanged) return 'same outcome, but the tool-call path changed'
  // Such runs have no result that could be the same.
  if (before.status === 'incomplete') return 'same status (incomplete, without a result) and tool-call path'
  return 'no behavioral change: same status, result and tool-call path'
}
