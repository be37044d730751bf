import { maskSecrets } from '@retake/trace'
import { printPython } from '../json/print-python.ts'
import type { TokenJson } from '../json/tokens.ts'
import { saveRun } from '../save-run.ts'
import type { BackspinLine, BackspinRun } from './run-file.ts'

/**
 * The text of a run file. Lines that were read come back as they were, to the byte, a truncated last one too; new lines
 * are written as Python's json module does. Credentials become `[redacted]`; fingerprints stay those of what was asked.
 * @throws UnsupportedError for a text that has no UTF-8
 */
export function formatBackspin({ header, events, truncated }: BackspinRun): string {
  const lines = [header, ...events].map((line) => `${formatLine(line)}\n`)
  return lines.join('') + maskSecrets(truncated?.raw ?? '')
}

function formatLine({ members, raw }: BackspinLine): string {
  if (raw !== undefined && maskSecrets(raw) === raw) return raw
  return printPython(masked(members))
}

function masked(value: TokenJson): TokenJson {
  if (typeof value === 'string') return maskSecrets(value)
  if (Array.isArray(value)) return value.map(masked)
  if (!(value instanceof Map)) return value
  return new Map(Array.from(value, ([name, member]) => [maskSecrets(name), masked(member)]))
}

/**
 * Writes a run file, whole or not at all; makes its folder.
 * @throws ConfigError where it cannot be written
 */
export const saveBackspin = (run: BackspinRun, path: string): void =>
  saveRun({ text: formatBackspin(run), lost: [] }, path)
