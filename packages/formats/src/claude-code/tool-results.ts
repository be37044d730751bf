import { type CassetteCorruptError, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@retake/trace'
import type { TranscriptMessage } from './transcript.ts'

/** What a tool gave, and when. */
export interface FoundResult {
  result: { result: JsonValue } | { error: string }
  /** Milliseconds since the epoch. */
  at: number
}

/** The results in a transcript by the id of their call, wherever they stand. */
export function findToolResults(
  messages: readonly TranscriptMessage[],
  fault: (line: number, reason: string) => CassetteCorruptError,
): ReadonlyMap<string, FoundResult> {
  const found = new Map<string, FoundResult>()
  for (const { role, content, line, endedAt } of messages) {
    if (role !== 'user') continue
    for (const block of content) {
      if (block.type !== 'tool_result') continue
      const id = String(block.tool_use_id)
      if (found.has(id)) throw fault(line, 'it has a second result for a call')
      found.set(id, { result: toResult(block), at: endedAt })
    }
  }
  return found
}

function toResult({ content, is_error: isError }: JsonObject): FoundResult['result'] {
  const text = Array.isArray(content) ? content.map(toText).join('\n') : content
  if (isError === true) return { error: typeof text === 'string' ? text : JSON.stringify(text ?? '') }
  return { result: typeof text === 'string' && typeof content === 'string' ? toValue(text) : (text ?? '') }
}

const toText = (block: JsonValue): string =>
  isJsonObject(block) && block.type === 'text'
    ? String(block.text ?? '')
    : `[${isJsonObject(block) ? block.type : typeof block} omitted]`

/** A text that is JSON is its value. */
function toValue(text: string): JsonValue {
  const value = parseJson(text)
  return value === undefined ? text : value
}
