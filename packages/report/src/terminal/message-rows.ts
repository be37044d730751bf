import type { JsonValue, Message, MessagePart } from '@retake/trace'
import { formatJson } from './value-rows.ts'

/** One part of a message as a line of a conversation. */
export interface MessageRow {
  role: string
  /** May have several lines. */
  text: string
  /** What the text is JSON of, behind a title: arguments of a call, a result. Absent for other texts. */
  json?: { title: string; value: JsonValue }
}

/** Width of the role column. */
export const roleWidth = 9

/** A message as lines, one a part: what was said, `→ tool {…}` for a call, the result under the role `tool`. */
export const toMessageRows = ({ role, content, name }: Message): MessageRow[] => {
  const said = name === undefined ? role : `${role} ${name}`
  if (typeof content === 'string' || content.length === 0) return [{ role: said, text: content.toString() }]
  return content.map((part) => ({
    role: part.type === 'tool_result' ? 'tool' : said,
    text: formatPart(part),
    ...jsonOf(part),
  }))
}

const jsonOf = (part: MessagePart): Pick<MessageRow, 'json'> => {
  if (part.type === 'tool_use' && part.inputText === undefined) {
    return { json: { title: `→ ${part.toolName}`, value: part.toolInput } }
  }
  if (part.type !== 'tool_result' || 'error' in part) return {}
  const value = typeof part.result === 'string' ? parseStructure(part.result) : part.result
  return typeof value === 'object' && value !== null ? { json: { title: '', value } } : {}
}

const longestParsed = 1_000_000

/** An object or a list; most wires know results as text only. */
const parseStructure = (text: string): JsonValue | undefined => {
  if (!/^\s*[[{]/.test(text) || text.length > longestParsed) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const formatCall = (toolName: string, toolInput: MessagePart | unknown, inputText?: string): string =>
  `→ ${toolName} ${inputText ?? formatJson(toolInput as never)}`

export const formatPart = (part: MessagePart): string => {
  switch (part.type) {
    case 'text':
      return part.text
    case 'refusal':
      return `(refusal) ${part.text}`
    case 'tool_use':
      return formatCall(part.toolName, part.toolInput, part.inputText)
    case 'tool_result':
      return 'error' in part ? `✗ ${part.error}` : formatResult(part.result)
    case 'media':
      return `[${part.mediaType} ${'ref' in part ? part.ref : `${part.bytes} bytes, sha256 ${part.sha256.slice(0, 8)}`}]`
    default:
      return formatJson(part as never)
  }
}

export const formatResult = (result: unknown): string =>
  typeof result === 'string' ? result : formatJson(result as never)
