import { type CassetteFile, ConfigError, formatCassette, isJsonObject, parseCassette, verifyText } from '@retake/trace'
import type { RunFormat } from '../run-format.ts'
import type { RunSource } from '../run-source.ts'

/** Cassettes of retake itself, version 2 and 3. They are written as version 3. */
export const retake: RunFormat = {
  name: 'retake',
  recognizes: (source) => source.kind === 'file' && hasVersionAndSteps(source.text),
  read(source) {
    const { trace, extras, test } = parseCassette(textOf(source), { path: source.path })
    return { trace, extras, ...(test && { test }), lost: [] }
  },
  write({ trace, extras, test }) {
    const file: CassetteFile = { trace, format: 'v3', extras, ...(test && { test }) }
    return { text: formatCassette(file), lost: [] }
  },
  verify: (source) => verifyText(textOf(source)),
}

function textOf(source: RunSource): string {
  if (source.kind === 'file') return source.text
  throw new ConfigError(`${source.path} is a folder, and a cassette is a file`, { path: source.path })
}

/** Its own reader says what is wrong with a file; this only tells whose it is, and mostly by the first member. */
function hasVersionAndSteps(text: string): boolean {
  if (/^\s*\{\s*"version"\s*:\s*[23]\s*,/.test(text)) return true
  if (!text.includes('"version"') || !text.includes('"steps"')) return false
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && 'version' in value && 'steps' in value
  } catch {
    return false
  }
}
