import { isJsonObject, type Message, type ModelInput } from '@retake/trace'
import type { Difference } from './difference.ts'
import { escapeInvisible } from './format-difference.ts'
import { parsePath } from './path.ts'

const mostSubjects = 3

/**
 * How a request differs, to follow "request 2 of 3": `differs from the cassette in its system prompt and tool "refund"`,
 * `differs from the cassette in message 3 (result of lookup)`, `has one message more than the cassette`.
 */
export const formatMismatch = (recorded: ModelInput, received: ModelInput, differences: Difference[]): string => {
  const whole = differences.every(({ path, kind }) => kind !== 'changed' && /^messages\[\d+\]$/.test(path))
  const kinds = new Set(differences.map(({ kind }) => kind))
  if (whole && kinds.size === 1) {
    const number = differences.length === 1 ? 'one message' : `${differences.length} messages`
    return `has ${number} ${kinds.has('added') ? 'more' : 'less'} than the cassette`
  }
  const subjects = [...new Set(differences.map((difference) => formatSubject(recorded, received, difference)))]
  const shown = subjects.slice(0, mostSubjects)
  const left = subjects.length - shown.length
  if (left > 0) shown.push(`${left} more ${left === 1 ? 'place' : 'places'}`)
  return `differs from the cassette in ${formatList(shown)}`
}

const formatList = (items: string[]): string =>
  items.length < 2 ? (items[0] ?? 'nothing') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

const formatSubject = (recorded: ModelInput, received: ModelInput, difference: Difference): string => {
  const [area, key] = parsePath(difference.path)
  const side = difference.kind === 'removed' ? recorded : received
  switch (area) {
    case 'model':
      return 'its model'
    case 'systemPrompt':
      return 'its system prompt'
    case 'messages':
      return typeof key === 'number' ? `message ${key + 1}${formatSpeaker(side.messages[key])}` : 'its messages'
    case 'tools':
      return `tool "${escapeInvisible(side.tools[Number(key)]?.name ?? toolName(difference))}"`
    default:
      return escapeInvisible(difference.path.replace(/^params\.(?:other\.)?(?=.)/, '') || 'everything')
  }
}

/** Whose message it is: ` (user)`, ` (call of lookup)`, ` (result of lookup)`. */
const formatSpeaker = (message: Message | undefined): string => {
  if (!message) return ''
  const { role, content } = message
  const [part, ...others] = Array.isArray(content) ? content : []
  if (!part || others.length > 0) return ` (${role})`
  if (part.type === 'tool_use') return ` (call of ${escapeInvisible(part.toolName)})`
  return part.type === 'tool_result' ? ` (result of ${escapeInvisible(part.toolName)})` : ` (${role})`
}

const toolName = ({ before, after }: Difference): string => {
  const tool = after ?? before
  return isJsonObject(tool) && typeof tool.name === 'string' ? tool.name : ''
}
