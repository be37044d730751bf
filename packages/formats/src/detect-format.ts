import { knownFormats } from './known-formats.ts'
import type { RunFormat } from './run-format.ts'
import type { RunSource } from './run-source.ts'

/** The format of a file or folder, by what it holds; undefined where none is recognized. */
export const detectFormat = (source: RunSource): RunFormat | undefined =>
  knownFormats.find((format) => format.recognizes(source))
