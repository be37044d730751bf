import {
  isJsonObject,
  type ModelInput,
  type ModelOutput,
  type ToolCall,
  type ToolResultPayload,
  type Trace,
  toolCallsOf,
  toolPathOf,
} from '@retake/trace'
import { fitsText, type Judgement, list, type MatcherContext, not, print, renderRun } from './matcher.ts'
import type { Subject } from './subject.ts'

/** "Called" is what the model asked for, so tools that are not wrapped count too. */
export const toolMatchers = {
  toHaveCalledTool(this: MatcherContext, { trace }: Subject, name: string, ...args: unknown[]): Judgement {
    const calls = calledTools(trace).filter(({ toolName }) => toolName === name)
    const fitting = args.length > 0 ? calls.filter(({ toolInput }) => this.equals(toolInput, args[0])) : calls
    const [only] = calls
    return {
      pass: fitting.length > 0,
      message: (renderers) =>
        `expected the model ${not(this)}to call ${name}${args.length > 0 ? ` with ${print(args[0])}` : ''}\n` +
        `  called: ${list(toolPathOf(trace))}\n\n${renderRun(trace, renderers)}`,
      ...(args.length > 0 && calls.length === 1 && { actual: only?.toolInput, expected: args[0] }),
    }
  },

  toHaveCalledTools(this: MatcherContext, { trace }: Subject, names: readonly string[]): Judgement {
    const called = toolPathOf(trace)
    return {
      pass: this.equals(called, names),
      message: (renderers) =>
        `expected the tools called ${not(this)}to be exactly these, in order\n\n${renderRun(trace, renderers)}`,
      actual: called,
      expected: names,
    }
  },

  toHaveToolError(this: MatcherContext, { trace }: Subject, name: string, ...message: unknown[]): Judgement {
    const errors = toolErrors(trace)
    const ofTool = errors.filter(({ toolName }) => toolName === name)
    const fitting = message.length > 0 ? ofTool.filter(({ error }) => fitsText(this, error, message[0])) : ofTool
    const [only] = ofTool
    return {
      pass: fitting.length > 0,
      message: (renderers) =>
        `expected ${name} ${not(this)}to fail${message.length > 0 ? ` with ${print(message[0])}` : ''}\n` +
        `  failed: ${list(errors.map(({ toolName, error }) => `${toolName} (${error})`))}\n\n${renderRun(trace, renderers)}`,
      ...(message.length > 0 && ofTool.length === 1 && { actual: only?.error, expected: message[0] }),
    }
  },
}

/** The calls behind the names of `toolPathOf`. */
const calledTools = (trace: Trace): Pick<ToolCall, 'toolName' | 'toolInput'>[] => {
  const asked = new Set<string>()
  return trace.steps.flatMap(({ type, payload }) => {
    if (type === 'model_output') {
      const calls = toolCallsOf(payload as ModelOutput)
      for (const { toolCallId } of calls) asked.add(toolCallId)
      return calls
    }
    const call = payload as ToolCall & { origin?: string }
    const counts = type === 'tool_call' && call.origin !== 'endpoint' && call.origin !== 'http'
    return counts && !asked.has(call.toolCallId) ? [call] : []
  })
}

interface ToolError {
  toolCallId: string
  toolName: string
  error: string
}

/** Of wrapped tools by their steps; of others by what the agent tells the model, where a wire knows errors. Each once. */
const toolErrors = ({ steps }: Trace): ToolError[] => {
  const errors = new Map<string, ToolError>()
  const add = (result: object) => {
    if (!isToolError(result)) return
    if (!errors.has(result.toolCallId)) errors.set(result.toolCallId, result)
  }
  for (const { type, payload } of steps) {
    if (type === 'tool_result') add(payload as ToolResultPayload)
    if (type !== 'model_input' || !isJsonObject(payload)) continue
    for (const { content } of (payload as ModelInput).messages ?? []) {
      if (typeof content !== 'string') for (const part of content) if (part.type === 'tool_result') add(part)
    }
  }
  return [...errors.values()]
}

const isToolError = (result: object): result is ToolError => 'error' in result && typeof result.error === 'string'
