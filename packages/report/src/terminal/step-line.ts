import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelOutput,
  type ToolCall,
  type TraceStep,
  type TraceStepType,
  toolCallsOf,
} from '@retake/trace'
import { formatCall, formatResult } from './message-rows.ts'
import { count } from './text-change.ts'
import { cutText, toLine } from './text-width.ts'

/** Type of a step and, for one of a tool, its name. */
export const formatKind = ({ type, payload }: Pick<TraceStep, 'type' | 'payload'>): string => {
  const name = isJsonObject(payload) && typeof payload.toolName === 'string' ? ` ${payload.toolName}` : ''
  return toLine(`${type}${name}`)
}

/** What a step is about, on one line: `→ lookup {"id":"A-77"}`, `3 messages, 2 tools`, the text of an answer. */
export const formatContent = ({ type, payload }: Pick<TraceStep, 'type' | 'payload'>): string =>
  toLine(isJsonObject(payload) ? contents[type](payload) : formatResult(payload))

const contents: Record<TraceStepType, (payload: JsonObject) => string> = {
  model_input: ({ messages, tools }) =>
    [...counted(messages, 'message'), ...(Array.isArray(tools) && tools.length > 0 ? counted(tools, 'tool') : [])].join(
      ', ',
    ),

  model_output(payload) {
    const { text, stop } = payload
    const calls = callsOf(payload).map(({ toolName, toolInput, inputText }) =>
      formatCall(toolName, toolInput, inputText),
    )
    const said = typeof text !== 'string' || text === '' ? [] : [calls.length > 0 ? cutText(text, besideCalls) : text]
    return [...said, ...calls, ...(stop === undefined ? [] : [`(${stop})`])].join('  ')
  },

  tool_call: ({ toolName, toolInput, inputText }) =>
    formatCall(String(toolName), toolInput, typeof inputText === 'string' ? inputText : undefined),

  tool_result: (payload) => (Object.hasOwn(payload, 'error') ? `✗ ${payload.error}` : formatResult(payload.result)),

  metadata: ({ event, status, kind, reason, message, toolName }) =>
    [event, event === 'model_error' ? status : undefined, kind, reason, message ?? toolName]
      .filter((value) => value !== undefined)
      .join(' '),
}

/** A file that does not verify may have anything there. */
const callsOf = (payload: JsonObject): ToolCall[] =>
  payload.type === 'tool_calls' && !(Array.isArray(payload.calls) && payload.calls.every(isJsonObject))
    ? []
    : toolCallsOf(payload as ModelOutput)

/** Columns for what the model says beside its calls. */
const besideCalls = 40

const counted = (list: JsonValue | undefined, noun: string): string[] =>
  Array.isArray(list) ? [count(list.length, noun)] : []
