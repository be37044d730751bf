import type { ToolCall } from '@retake/trace'
import { parseStorable } from './refuse-unstorable.ts'

/**
 * Reads the argument text of a call. `inputText` keeps it where parse and compact print would lose something: white
 * space, cut-off JSON, large integers, duplicate keys. Text that is no JSON, or is one JSON string, stays as it is; no
 * text at all means no arguments.
 */
export const readArguments = (text: string): Pick<ToolCall, 'toolInput' | 'inputText'> => {
  if (text.trim() === '') return { toolInput: {}, inputText: text }
  const value = parseStorable(text)
  if (value === undefined || typeof value === 'string') return { toolInput: text, inputText: text }
  return JSON.stringify(value) === text ? { toolInput: value } : { toolInput: value, inputText: text }
}

export const toArgumentText = ({ toolInput, inputText }: Pick<ToolCall, 'toolInput' | 'inputText'>): string =>
  inputText ?? JSON.stringify(toolInput)
