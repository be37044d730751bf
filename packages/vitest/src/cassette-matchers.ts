import { diffOutcome, diffTraces, diffTracesSemantic } from '@retake/compare'
import { createStyle, renderConversation, renderTraceDiff } from '@retake/report'
import type { Cassette } from '@retake/session'
import {
  finalAnswerOf,
  type ModelOutput,
  type TerminalOutcome,
  type ToolCall,
  type Trace,
  toolCallsOf,
  toolPathOf,
  verifyFile,
  verifyTrace,
} from '@retake/trace'
import { outcomeOf, type Subject, toSubject } from './subject.ts'

interface Verdict {
  pass: boolean
  message: () => string
  actual?: unknown
  expected?: unknown
}

/** What the runner's `expect` brings: equality that knows its asymmetric matchers. */
interface MatcherContext {
  equals: (a: unknown, b: unknown) => boolean
  isNot?: boolean
}

const print = (value: unknown): string => JSON.stringify(value) ?? String(value)
const list = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : 'none')
const not = ({ isNot }: MatcherContext): string => (isNot ? 'not ' : '')

/** "Called" is what the model asked for, so tools that are not wrapped count too. */
export const cassetteMatchers = {
  toHaveCalledTool(this: MatcherContext, { trace }: Subject, name: string, ...args: unknown[]): Verdict {
    const calls = calledTools(trace).filter(({ toolName }) => toolName === name)
    const fitting = args.length > 0 ? calls.filter(({ toolInput }) => this.equals(toolInput, args[0])) : calls
    const [only] = calls
    return {
      pass: fitting.length > 0,
      message: () =>
        `expected the model ${not(this)}to call ${name}${args.length > 0 ? ` with ${print(args[0])}` : ''}\n` +
        `  called: ${list(toolPathOf(trace))}\n\n${renderRun(trace)}`,
      ...(args.length > 0 && calls.length === 1 && { actual: only?.toolInput, expected: args[0] }),
    }
  },

  toHaveCalledTools(this: MatcherContext, { trace }: Subject, names: readonly string[]): Verdict {
    const called = toolPathOf(trace)
    return {
      pass: this.equals(called, names),
      message: () => `expected the tools called ${not(this)}to be exactly these, in order\n\n${renderRun(trace)}`,
      actual: called,
      expected: names,
    }
  },

  toHaveModelCalls(this: MatcherContext, { trace }: Subject, count: number): Verdict {
    const replies = outputsOf(trace).length
    return {
      pass: this.equals(replies, count),
      message: () =>
        `expected the model ${not(this)}to reply ${print(count)} times; it did ${replies}\n\n${renderRun(trace)}`,
    }
  },

  toHaveFinalAnswer(this: MatcherContext, { trace }: Subject, answer: string | RegExp): Verdict {
    const given = outputsOf(trace)
      .map(finalAnswerOf)
      .findLast((text) => text !== undefined)
    const fits =
      answer instanceof RegExp ? given !== undefined && given.search(answer) >= 0 : this.equals(given, answer)
    return {
      pass: fits,
      message: () =>
        given === undefined
          ? `expected a final answer, but the run has none\n\n${renderRun(trace)}`
          : `expected the final answer ${not(this)}to ${answer instanceof RegExp ? `match ${answer}` : 'be exactly this'}\n\n${renderRun(trace)}`,
      ...(given !== undefined && { actual: given, expected: answer instanceof RegExp ? String(answer) : answer }),
    }
  },

  toHaveEndedWith(this: MatcherContext, subject: Subject, status: string): Verdict {
    const outcome = outcomeOf(subject)
    return {
      pass: outcome.status === status,
      message: () =>
        `expected the run ${not(this)}to end with ${status}; ${endings[outcome.status](outcome)}\n\n${renderRun(subject.trace)}`,
    }
  },

  toMatchTrace(
    this: MatcherContext,
    { trace, file }: Subject,
    other: Cassette | Trace | string,
    { semantic = false }: { semantic?: boolean } = {},
  ): Verdict {
    const expected = toSubject(other)
    const diff = (semantic ? diffTracesSemantic : diffTraces)(expected.trace, trace)
    const how = semantic ? 'in what they say' : 'by hash'
    return {
      pass: !diff.hasDivergence,
      message: () => {
        if (!diff.hasDivergence) return `expected the run not to match the other, but all steps are the same ${how}`
        const text = renderTraceDiff({
          first: { name: expected.file ?? 'expected', trace: expected.trace },
          second: { name: file ?? 'received', trace },
          diff,
          outcome: diffOutcome(expected.trace, trace),
          style: createStyle(),
        })
        return `expected the run to match the other, but it differs ${how}\n\n${indent(cutLines(text))}`
      },
    }
  },

  toBeVerified(this: MatcherContext, { trace, file }: Subject): Verdict {
    const { checks, pass } = file === undefined ? verifyTrace(trace) : verifyFile(file)
    const failed = checks.find(({ status }) => status === 'fail')
    return {
      pass,
      message: () =>
        failed
          ? `expected the run to verify, but ${failed.name} fails${failed.where ? ` at ${failed.where}` : ''}: ${failed.detail}`
          : 'expected the run not to verify, but every check passes',
    }
  },
}

/** Without colours: messages also end up in reports for programs. */
const renderRun = (trace: Trace): string =>
  trace.steps.length === 0
    ? '  nothing happened in this run'
    : indent(renderConversation(trace, { style: createStyle(), most: mostLines }))

const mostLines = 25

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')

const cutLines = (text: string): string => {
  const lines = text.split('\n')
  const hidden = lines.length - mostLines
  return hidden <= 0
    ? text
    : [...lines.slice(0, mostLines), '', `  … ${hidden} more lines; retake diff shows all`].join('\n')
}

const endings = {
  success: () => 'it ended with success',
  error: (outcome: TerminalOutcome) => `it ended with error: ${'reason' in outcome ? outcome.reason : ''}`,
  incomplete: () => 'it has no end: its last reply is no final answer, or there is none',
}

const outputsOf = (trace: Trace): ModelOutput[] =>
  trace.steps.flatMap(({ type, payload }) => (type === 'model_output' ? [payload as unknown as ModelOutput] : []))

/** The calls behind the names of `toolPathOf`. */
const calledTools = (trace: Trace): Pick<ToolCall, 'toolName' | 'toolInput'>[] => {
  const asked = new Set<string>()
  return trace.steps.flatMap(({ type, payload }) => {
    if (type === 'model_output') {
      const calls = toolCallsOf(payload as unknown as ModelOutput)
      for (const { toolCallId } of calls) asked.add(toolCallId)
      return calls
    }
    const call = payload as unknown as ToolCall & { origin?: string }
    const counts = type === 'tool_call' && call.origin !== 'endpoint' && call.origin !== 'http'
    return counts && !asked.has(call.toolCallId) ? [call] : []
  })
}
