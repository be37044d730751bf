import {
  isJsonObject,
  type JsonValue,
  type ModelOutput,
  type TraceStep,
  type TraceStepType,
  toolCallsOf,
} from '@retake/trace'
import { formatCall, formatResult } from './message-rows.ts'
import { count } from './text-change.ts'
import { toLine } from './text-width.ts'

/** Type of a step and, for one of a tool, its name. */
export const formatKind = ({ type, payload }: Pick<TraceStep, 'type' | 'payload'>): string => {
  const name = isJsonObject(payload) && typeof payload.toolName === 'string' ? ` ${payload.toolName}` : ''
  return toLine(`${type}${name}`)
}

/** What a step is about, on one line: `→ lookup {"id":"A-77"}`, `3 messages, 2 tools`, the text of an answer. */
export const formatContent = ({ type, payload }: Pick<TraceStep, 'type' | 'payload'>): string =>
  toLine(isJsonObject(payload) ? contents[type](payload) : formatResult(payload))

type Payload = Record<string, JsonValue>

const contents: Record<TraceStepType, (payload: Payload) => string> = {
  model_input: ({ messages, tools }) =>
    [...counted(messages, 'message'), ...(Array.isArray(tools) && tools.length > 0 ? counted(tools, 'tool') : [])].join(
      ', ',
    ),

  model_output(payload) {
    const { text, stop } = payload
    const calls = toolCallsOf(payload as unknown as ModelOutput).map(({ toolName, toolInput, inputText }) =>
      formatCall(toolName, toolInput, inputText),
    )
    const said = typeof text === 'string' && text !== '' ? [text] : []
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

const counted = (list: JsonValue | undefined, noun: string): string[] =>
  Array.isArray(list) ? [count(list.length, noun)] : []
