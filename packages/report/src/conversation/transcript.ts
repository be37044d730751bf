import { escapeInvisible, toConversation, type Utterance } from '@retake/compare'
import { type CassetteFile, isJsonObject, type JsonValue, terminalOutcome } from '@retake/trace'
import { roleWidth } from '../terminal/message-rows.ts'
import { padText, toLine } from '../terminal/text-width.ts'
import { toUtteranceRow } from './utterance-row.ts'
import { layOut, toUtteranceText } from './utterance-text.ts'

/**
 * A cassette as text to compare line by line, as `git diff` does: who says what, whole, with nothing in it that a
 * recording has otherwise each time. No line is numbered, so that one more moves no other.
 */
export const renderTranscript = ({ trace, test }: CassetteFile): string => {
  const end = terminalOutcome(trace)
  return [
    ...(test ? [`# ${toLine(test.name)}`] : []),
    ...toConversation(trace).flatMap(renderUtterance),
    ...(end.status === 'error' ? [] : renderBlock('end', end.status)),
    '',
  ].join('\n')
}

const renderUtterance = (utterance: Utterance): string[] => {
  const { role } = toUtteranceRow(utterance)
  if (utterance.kind !== 'setting') return renderBlock(role, toUtteranceText(utterance))
  const { value } = utterance
  if (typeof value !== 'object' || value === null) return renderBlock(role, value === null ? '(none)' : layOut(value))
  return (Array.isArray(value) ? value.map(toTool) : Object.entries(value)).flatMap(([name, member]) =>
    renderBlock(role, `${name} ${layOut(member)}`),
  )
}

const toTool = (tool: JsonValue): [string, JsonValue] => {
  const { name, ...members } = isJsonObject(tool) ? tool : {}
  return [String(name), members]
}

const renderBlock = (role: string, text: string): string[] =>
  text
    .split('\n')
    .map((line, nth) => `${padText(nth === 0 ? toLine(role) : '', roleWidth)}  ${escapeInvisible(line)}`.trimEnd())
