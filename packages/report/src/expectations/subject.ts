import {
  ConfigError,
  isJsonObject,
  loadCassette,
  type StepExtras,
  type TerminalOutcome,
  type Trace,
  terminalOutcome,
} from '@retake/trace'

/** A cassette in use, as an expectation looks at it. */
export interface Run {
  readonly path: string
  readonly state: string
  readonly trace: Trace
  readonly extras: readonly StepExtras[]
}

/** A run, and the file it was read from where there is one. */
export interface Subject {
  trace: Trace
  file?: string
  /** What the replies carried beside the run, where it is known: token counts. */
  extras: readonly StepExtras[]
  /** The run of a cassette in use, which may go on. */
  isOpen?: boolean
}

/**
 * What there is to look at.
 * @throws ConfigError for what is none of the three, a cassette that is off, and a file that cannot be read
 */
export const toSubject = (subject: Run | Trace | string): Subject => {
  if (typeof subject === 'string') {
    const { trace, extras } = loadCassette(subject)
    return { trace, extras, file: subject }
  }
  if (typeof subject !== 'object' || subject === null || !('steps' in subject || 'state' in subject)) {
    throw new ConfigError('expectCassette() takes a cassette, a trace or the path of a cassette file')
  }
  if ('steps' in subject) return { trace: subject, extras: [] }
  if (subject.state === 'off') {
    throw new ConfigError('expectCassette() has nothing to look at: this cassette is off', { cassette: subject.path })
  }
  return { trace: subject.trace, extras: subject.extras, isOpen: true }
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

/** Tokens of all replies; undefined where one of them was not counted. */
export const tokensOf = ({ trace, extras }: Subject): { input?: number; output?: number } => ({
  ...sumOf('input', trace, extras),
  ...sumOf('output', trace, extras),
})

const sumOf = (member: 'input' | 'output', { steps }: Trace, extras: readonly StepExtras[]) => {
  const counts = new Map(extras.map(({ step, tokens }) => [step, tokens?.[member]]))
  let sum = 0
  for (const { type, index } of steps) {
    if (type !== 'model_output') continue
    const count = counts.get(index)
    if (count === undefined) return {}
    sum += count
  }
  return { [member]: sum }
}
