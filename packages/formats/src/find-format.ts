import { knownFormats } from './known-formats.ts'
import type { FormatName, RunFormat } from './run-format.ts'

/** The format of a name; undefined for a word that is none. */
export const findFormat = (name: string): RunFormat | undefined => knownFormats.find((format) => format.name === name)

/** Names of the formats that retake writes. */
export const writtenFormats = (): FormatName[] => knownFormats.filter(({ write }) => write).map(({ name }) => name)
