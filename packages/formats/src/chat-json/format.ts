import { ConfigError, isJsonObject } from '@retake/trace'
import type { RunFormat } from '../run-format.ts'
import { readChatJson } from './read-chat-json.ts'

/** Chat transcripts in one JSON document. They are only read. */
export const chatJson: RunFormat = {
  name: 'chat-json',
  recognizes: (source) => source.kind === 'file' && isChat(source.text),
  read(source) {
    if (source.kind === 'file') return readChatJson(source.text, source.path)
    throw new ConfigError(`${source.path} is a folder, and a transcript is a file`, { path: source.path })
  },
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
