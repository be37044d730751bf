import {
  ConfigError,
  finalAnswerOf,
  isJsonObject,
  type ModelInput,
  type ModelOutput,
  type TerminalOutcome,
  type Trace,
  toolPathOf,
} from '@retake/trace'
import { fitsText, isPattern, type Judgement, list, type MatcherContext, not, print, renderRun } from './matcher.ts'
import { outcomeOf, type Subject, tokensOf } from './subject.ts'

/** The most that a run may take; what is absent is not limited. */
export interface RunLimits {
  /** Replies of the model. */
  modelCalls?: number
  /** Calls of tools, as `toHaveCalledTools` counts them. */
  toolCalls?: number
  inputTokens?: number
  outputTokens?: number
}

export const modelMatchers = {
  toHaveModelCalls(this: MatcherContext, { trace }: Subject, count: number): Judgement {
    const replies = outputsOf(trace).length
    return {
      pass: this.equals(replies, count),
      message: (renderers) =>
        `expected the model ${not(this)}to reply ${print(count)} times; it did ${replies}\n\n${renderRun(trace, renderers)}`,
    }
  },

  toHaveFinalAnswer(this: MatcherContext, { trace }: Subject, answer: string | RegExp): Judgement {
    const given = outputsOf(trace)
      .map(finalAnswerOf)
      .findLast((text) => text !== undefined)
    return {
      pass: fitsText(this, given, answer),
      message: (renderers) =>
        given === undefined
          ? `expected a final answer, but the run has none\n\n${renderRun(trace, renderers)}`
          : `expected the final answer ${not(this)}to ${manner(answer)}\n\n${renderRun(trace, renderers)}`,
      ...(given !== undefined && { actual: given, expected: isPattern(answer) ? String(answer) : answer }),
    }
  },

  toHaveEndedWith(this: MatcherContext, subject: Subject, status: string): Judgement {
    const outcome = outcomeOf(subject)
    return {
      pass: outcome.status === status,
      message: (renderers) =>
        `expected the run ${not(this)}to end with ${status}; ${endings[outcome.status](outcome)}\n\n${renderRun(subject.trace, renderers)}`,
    }
  },

  toHaveUsedModel(this: MatcherContext, { trace }: Subject, name: string): Judgement {
    const models = distinct(requestsOf(trace).map(({ model }) => model))
    const [only] = models
    return {
      pass: models.some((model) => this.equals(model, name)),
      message: (renderers) =>
        `expected the agent ${not(this)}to use the model ${print(name)}\n  used: ${list(models)}\n\n${renderRun(trace, renderers)}`,
      ...(models.length === 1 && { actual: only, expected: name }),
    }
  },

  toHaveSentSystemPrompt(this: MatcherContext, { trace }: Subject, prompt: string | RegExp): Judgement {
    const prompts = distinct(requestsOf(trace).map(({ systemPrompt }) => systemPrompt))
    const [only] = prompts
    return {
      pass: prompts.some((sent) => fitsText(this, sent, prompt)),
      message: (renderers) =>
        prompts.length === 0
          ? `expected a system prompt, but no request has one\n\n${renderRun(trace, renderers)}`
          : `expected ${prompts.length === 1 ? 'the system prompt' : `one of ${prompts.length} system prompts`} ` +
            `${not(this)}to ${manner(prompt)}\n\n${renderRun(trace, renderers)}`,
      ...(prompts.length === 1 && { actual: only, expected: isPattern(prompt) ? String(prompt) : prompt }),
    }
  },

  toStayWithin(this: MatcherContext, subject: Subject, limits: RunLimits): Judgement {
    const rows = Object.entries(limits).map(([name, limit]) => ({ name, limit, used: useOf(subject, name, limit) }))
    const over = rows.filter(({ used, limit }) => used > limit)
    const used = (which: typeof rows) => which.map((row) => `${row.name} ${row.used} of ${row.limit}`).join(', ')
    return {
      pass: over.length === 0,
      message: (renderers) =>
        over.length === 0
          ? `expected the run to go over its limits; it stayed within: ${used(rows)}\n\n${renderRun(subject.trace, renderers)}`
          : `expected the run to stay within its limits; it went over: ${used(over)}\n\n${renderRun(subject.trace, renderers)}`,
    }
  },
}

const manner = (text: unknown): string => (isPattern(text) ? `match ${text}` : 'be exactly this')

const endings = {
  success: () => 'it ended with success',
  error: (outcome: TerminalOutcome) => `it ended with error: ${'reason' in outcome ? outcome.reason : ''}`,
  incomplete: () => 'it has no end: its last reply is no final answer, or there is none',
}

const distinct = (texts: (string | undefined)[]): string[] => [...new Set(texts)].filter((text) => text !== undefined)

const outputsOf = (trace: Trace): ModelOutput[] =>
  trace.steps.flatMap(({ type, payload }) => (type === 'model_output' ? [payload as ModelOutput] : []))

const requestsOf = (trace: Trace): ModelInput[] =>
  trace.steps.flatMap(({ type, payload }) =>
    type === 'model_input' && isJsonObject(payload) ? [payload as ModelInput] : [],
  )

const counters: Record<keyof RunLimits, (subject: Subject) => number | undefined> = {
  modelCalls: ({ trace }) => outputsOf(trace).length,
  toolCalls: ({ trace }) => toolPathOf(trace).length,
  inputTokens: (subject) => tokensOf(subject)?.input,
  outputTokens: (subject) => tokensOf(subject)?.output,
}

/** @throws ConfigError for a limit that does not exist or is no number, and for tokens where none were counted */
const useOf = (subject: Subject, name: string, limit: unknown): number => {
  const count = Object.hasOwn(counters, name) ? counters[name as keyof RunLimits] : undefined
  if (!count) {
    throw new ConfigError(`toStayWithin() has no limit "${name}"; it takes ${Object.keys(counters).join(', ')}`, {
      name,
    })
  }
  if (typeof limit !== 'number' || !(limit >= 0)) {
    throw new ConfigError(`toStayWithin(): ${name} must be a number, 0 or more`, { name })
  }
  const used = count(subject)
  if (used !== undefined) return used
  throw new ConfigError(
    `toStayWithin(): ${name} is not known: this run has replies without token counts (a v2 file keeps none)`,
    { name },
  )
}
