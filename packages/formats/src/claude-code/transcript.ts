import { type CassetteCorruptError, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@retake/trace'
import type { Loss } from '../loss.ts'

/** One message of a transcript; the lines that make up one reply are one. */
export interface TranscriptMessage {
  role: 'user' | 'assistant'
  /** Number of its first line, from 1. */
  line: number
  /** Milliseconds since the epoch of its first and of its last line. */
  startedAt: number
  endedAt: number
  content: JsonObject[]
  model: string | undefined
}

export interface Transcript {
  messages: TranscriptMessage[]
  lost: Loss[]
}

interface Line {
  number: number
  role: 'user' | 'assistant'
  at: number
  isSidechain: boolean
  message: JsonObject
}

/**
 * The messages in a session log of Claude Code: lines of JSON, of which those of a user and of the assistant count. Side
 * chains are left out, unless there is nothing else.
 * @param fault makes the error for a line
 */
export function readTranscript(
  text: string,
  fault: (line: number, reason: string) => CassetteCorruptError,
): Transcript {
  const lines = text.split('\n').flatMap((row, index) => (row.trim() === '' ? [] : toLine(row, index + 1, fault)))
  const main = lines.filter(({ isSidechain }) => !isSidechain)
  const kept = main.length > 0 ? main : lines
  const side = lines.length - kept.length
  const messages: TranscriptMessage[] = []
  const byId = new Map<string, TranscriptMessage>()
  for (const { number, role, at, message } of kept) {
    const content = toBlocks(message.content)
    const id = role === 'assistant' && typeof message.id === 'string' ? message.id : undefined
    const known = id === undefined ? undefined : byId.get(id)
    if (known) {
      known.content.push(...content)
      known.endedAt = Math.max(known.endedAt, at)
      continue
    }
    const model = typeof message.model === 'string' ? message.model : undefined
    const one = { role, line: number, startedAt: at, endedAt: at, content, model }
    messages.push(one)
    if (id !== undefined) byId.set(id, one)
  }
  return { messages, lost: side > 0 ? [{ where: '', what: `${side} lines of side chains` }] : [] }
}

function toLine(row: string, number: number, fault: (line: number, reason: string) => CassetteCorruptError): Line[] {
  const value = parseJson(row)
  if (!isJsonObject(value)) throw fault(number, 'it is no JSON object')
  const { type, message, timestamp, isSidechain } = value
  if (type !== 'user' && type !== 'assistant') return []
  if (!isJsonObject(message)) throw fault(number, 'it has no message')
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  if (!Number.isSafeInteger(at)) throw fault(number, 'its timestamp is no time')
  return [{ number, role: type, at, isSidechain: isSidechain === true, message }]
}

const toBlocks = (content: JsonValue | undefined): JsonObject[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isJsonObject) : []
}
