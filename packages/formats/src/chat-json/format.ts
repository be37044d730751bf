import { ConfigError, isJsonObject } from '@retake/trace'
import { verifyReadable } from '../check-readable.ts'
import type { ReadRun, RunFormat } from '../run-format.ts'
import type { RunSource } from '../run-source.ts'
import { readChatJson } from './read-chat-json.ts'

/** Chat transcripts in one JSON document. They are only read. */
export const chatJson: RunFormat = {
  name: 'chat-json',
  recognizes: (source) => source.kind === 'file' && isChat(source.text),
  read: readSource,
  verify: verifyReadable('chat-json', readSource),
}

function isChat(text: string): boolean {
  if (!text.includes('"messages"')) return false
  try {
    const value: unknown = JSON.parse(text)
    return (
      isJsonObject(value) &&
      Array.isArray(value.messages) &&
      value.messages.every((message) => isJsonObject(message) && 'role' in message && 'timestamp' in message)
    )
  } catch {
    return false
  }
}

function readSource(source: RunSource): ReadRun {
  if (source.kind === 'file') return readChatJson(source.text, source.path)
  throw new ConfigError(`${source.path} is a folder, and a transcript is a file`, { path: source.path })
}
