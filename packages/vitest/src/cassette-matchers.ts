import { createStyle, renderConversation } from '@retake/report'
import {
  finalAnswerOf,
  type ModelOutput,
  type ToolCall,
  type Trace,
  toolCallsOf,
  toolPathOf,
  verifyFile,
  verifyTrace,
} from '@retake/trace'

/** A run, and the file it was read from where there is one. */
export interface Subject {
  trace: Trace
  file?: string
}

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
    : renderConversation(trace, { style: createStyle(), most: 25 }).replace(/^/gm, '  ')

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
