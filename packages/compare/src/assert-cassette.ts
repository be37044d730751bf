import {
  ConfigError,
  type TerminalOutcome,
  type Trace,
  terminalOutcome,
  toolPathOf,
  type VerifyCheck,
  type VerifyReport,
  verifyTrace,
} from '@retake/trace'
import { equalJson } from './equal-json.ts'

/** What a run must have done, exactly. What is absent is not looked at. */
export interface Expectations {
  status?: TerminalOutcome['status']
  /** Result of a run that completed. */
  finalAnswer?: string
  /** Reason of a run that failed: `agent_error`, `unknown_tool` … */
  failureReason?: string
  /** Names of all tools called, in order; `[]` for none. */
  tools?: readonly string[]
}

/** One expectation, and what the run says to it. */
export interface ExpectationCheck {
  name: 'status' | 'final_answer' | 'failure_reason' | 'tools'
  status: 'pass' | 'fail' | 'skip'
  expected: string | readonly string[]
  /** Null where the run has none. Absent where the run was not asked, because it does not verify. */
  actual?: string | readonly string[] | null
  /** One line. */
  detail: string
}

/** What `retake assert` says of one run. */
export interface AssertReport {
  pass: boolean
  verify: VerifyReport
  /** One for each expectation given, in the order of `Expectations`. */
  checks: ExpectationCheck[]
  firstFailure?: { kind: 'verify'; check: VerifyCheck } | { kind: 'expectation'; check: ExpectationCheck }
}

/**
 * Holds a run against expectations. A trace that does not verify fails, and its expectations are skipped.
 * @throws ConfigError for expectations that are none
 */
export const assertCassette = (trace: Trace, expectations: Expectations = {}): AssertReport =>
  assertVerified(verifyTrace(trace), () => trace, expectations)

/** As `assertCassette`, with a report that was made already: of the file that `readTrace` reads, once the report passes. */
export const assertVerified = (
  verify: VerifyReport,
  readTrace: () => Trace,
  expectations: Expectations,
): AssertReport => {
  const wanted = toWanted(expectations)
  const broken = verify.checks.find(({ status }) => status === 'fail')
  if (broken) {
    const checks = wanted.map(([name, expected]) => ({ name, status: 'skip' as const, expected, detail: skipped }))
    return { pass: false, verify, checks, firstFailure: { kind: 'verify', check: broken } }
  }
  const actual = wanted.length === 0 ? undefined : toActual(readTrace())
  const checks = wanted.map(([name, expected]) => judge(name, expected, actual?.[name] ?? null))
  const failed = checks.find(({ status }) => status === 'fail')
  return { pass: !failed, verify, checks, ...(failed && { firstFailure: { kind: 'expectation', check: failed } }) }
}

type Name = ExpectationCheck['name']
type Value = string | readonly string[]

const skipped = 'skipped (the cassette does not verify)'
const isText = (value: unknown): boolean => typeof value === 'string'
const statuses = ['success', 'error', 'incomplete']

const members: Record<keyof Expectations, [name: Name, accepts: (value: unknown) => boolean, kind: string]> = {
  status: ['status', (value) => statuses.includes(value as string), statuses.join(', ')],
  finalAnswer: ['final_answer', isText, 'a text'],
  failureReason: ['failure_reason', isText, 'a text'],
  tools: ['tools', (value) => Array.isArray(value) && value.every(isText), 'a list of names'],
}

const toWanted = (expectations: Expectations): [Name, Value][] => {
  const unknown = Object.keys(expectations).find((member) => !Object.hasOwn(members, member))
  if (unknown !== undefined) {
    throw new ConfigError(
      `there is no expectation "${unknown}"; the expectations are ${Object.keys(members).join(', ')}`,
      { expectation: unknown },
    )
  }
  return Object.entries(members).flatMap(([member, [name, accepts, kind]]): [Name, Value][] => {
    const value = expectations[member as keyof Expectations]
    if (value === undefined) return []
    if (accepts(value)) return [[name, value]]
    throw new ConfigError(`the expectation ${member} takes ${kind}`, { expectation: member })
  })
}

const toActual = (trace: Trace): Partial<Record<Name, Value>> => {
  const outcome = terminalOutcome(trace)
  return {
    status: outcome.status,
    ...(outcome.status === 'success' && { final_answer: outcome.result }),
    ...(outcome.status === 'error' && { failure_reason: outcome.reason }),
    tools: toolPathOf(trace),
  }
}

const judge = (name: Name, expected: Value, actual: Value | null): ExpectationCheck => {
  const pass = equalJson(expected, actual)
  const detail = pass ? 'as expected' : actual === null ? `the run has no ${words[name]}` : `another ${words[name]}`
  return { name, status: pass ? 'pass' : 'fail', expected, actual, detail }
}

const words: Record<Name, string> = {
  status: 'status',
  final_answer: 'final answer',
  failure_reason: 'failure reason',
  tools: 'tool path',
}
