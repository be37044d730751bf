import { ConfigError, isJsonObject } from '@retake/trace'
import type { RunFormat } from '../run-format.ts'
import type { RunSource } from '../run-source.ts'
import { diffFixtures } from './diff-fixtures.ts'
import { isFixture, readFixture } from './read-fixture.ts'
import { verifyFixture } from './verify-fixture.ts'
import { writeFixture } from './write-fixture.ts'

/** Replay fixtures of AgentsKit, and cassettes of its adapters. They are written as fixtures. */
export const agentskit: RunFormat = {
  name: 'agentskit',
  recognizes: (source) => source.kind === 'file' && (isFixture(source.text) || isAdapterCassette(source.text)),
  read: (source) => readFixture(textOf(source), source.path),
  write: writeFixture,
  verify: (source) => verifyFixture(textOf(source), source.path),
  diff: (first, second) =>
    diffFixtures({ text: textOf(first), path: first.path }, { text: textOf(second), path: second.path }),
}

function textOf(source: RunSource): string {
  if (source.kind === 'file') return source.text
  throw new ConfigError(`${source.path} is a folder, and a fixture is a file`, { path: source.path })
}

function isAdapterCassette(text: string): boolean {
  if (!text.includes('"entries"')) return false
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && value.version === 1 && Array.isArray(value.entries)
  } catch {
    return false
  }
}
