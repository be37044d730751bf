import { ConfigError, isJsonObject } from '@retake/trace'
import { verifyReadable } from '../check-readable.ts'
import type { ReadRun, RunFormat } from '../run-format.ts'
import type { RunSource } from '../run-source.ts'
import { readClaudeCode } from './read-claude-code.ts'

/** Session logs of Claude Code, JSON by the line. They are only read. */
export const claudeCode: RunFormat = {
  name: 'claude-code',
  recognizes: (source) => source.kind === 'file' && hasMessageLine(source.text),
  read: readSource,
  verify: verifyReadable('claude-code', readSource),
}

/** Some lines of other kinds can stand before. */
const hasMessageLine = (text: string): boolean => text.startsWith('{') && text.split('\n', 50).some(isMessageLine)

function isMessageLine(line: string): boolean {
  if (!/"type"\s*:\s*"(user|assistant)"/.test(line)) return false
  try {
    const value: unknown = JSON.parse(line)
    return (
      isJsonObject(value) &&
      (value.type === 'user' || value.type === 'assistant') &&
      isJsonObject(value.message) &&
      'timestamp' in value
    )
  } catch {
    return false
  }
}

function readSource(source: RunSource): ReadRun {
  if (source.kind === 'file') return readClaudeCode(source.text, source.path)
  throw new ConfigError(`${source.path} is a folder, and a transcript is a file`, { path: source.path })
}
