import type { Utterance } from '@retake/compare'
import type { JsonValue } from '@retake/trace'
import { toUtteranceRow } from './utterance-row.ts'

const widestValue = 80
const longestReadable = 200_000

/** An utterance as text to compare line by line: values that are long are laid out, a member a line. */
export const toUtteranceText = (utterance: Utterance): string => {
  switch (utterance.kind) {
    case 'setting':
      return utterance.value === null ? '' : layOut(utterance.value)
    case 'call': {
      const { toolName, toolInput, inputText } = utterance.call
      return `→ ${toolName} ${inputText ?? layOut(toolInput)}`
    }
    case 'result':
      return `${utterance.isError ? '✗ ' : ''}${layOut(utterance.value)}`
    default:
      return toUtteranceRow(utterance).text
  }
}

/** A text as it is; another value on one line where it fits, else indented, line feeds in its texts as such. */
export const layOut = (value: JsonValue): string => {
  if (typeof value === 'string') return value
  const line = JSON.stringify(value)
  if (line.length <= widestValue) return line
  const text = JSON.stringify(value, null, 2)
  // An escaped line feed becomes one; an escaped backslash before an n stays.
  return text.length > longestReadable
    ? text
    : text.replace(/\\(.)/g, (pair, character) => (character === 'n' ? '\n' : pair))
}
