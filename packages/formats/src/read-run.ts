import { ConfigError } from '@retake/trace'
import { detectFormat } from './detect-format.ts'
import { knownFormats } from './known-formats.ts'
import type { FormatName, ReadRun } from './run-format.ts'
import { openSource } from './run-source.ts'

/**
 * The run in a file or folder of any known format. Nothing is written.
 * @throws ConfigError where there is nothing to read, or no format recognizes it; the errors of the format's own reader
 */
export function readRun(path: string): ReadRun & { format: FormatName } {
  const source = openSource(path)
  const format = detectFormat(source)
  if (format) return { format: format.name, ...format.read(source) }
  const names = knownFormats.map(({ name }) => name).join(', ')
  throw new ConfigError(`${path} is in no format that retake knows (${names})`, { path })
}
