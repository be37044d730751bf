import type { Message, MessagePart } from '@retake/trace'
import { formatJson } from './value-rows.ts'

/** One part of a message as a line of a conversation. */
export interface MessageRow {
  role: string
  /** May have several lines. */
  text: string
}

/** Width of the role column. */
export const roleWidth = 9

/** A message as lines, one a part: what was said, `→ tool {…}` for a call, the result under the role `tool`. */
export const toMessageRows = ({ role, content, name }: Message): MessageRow[] => {
  const said = name === undefined ? role : `${role} ${name}`
  if (typeof content === 'string' || content.length === 0) return [{ role: said, text: content.toString() }]
  return content.map((part) => ({ role: part.type === 'tool_result' ? 'tool' : said, text: formatPart(part) }))
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
