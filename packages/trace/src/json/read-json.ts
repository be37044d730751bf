import { CassetteConflictError, CassetteCorruptError } from '../error.ts'
import { Fault } from './fault.ts'
import type { JsonValue } from './json.ts'
import { formatPath } from './json-path.ts'
import { parseStrictJson } from './parse-strict-json.ts'
import { textPosition, valueOffset } from './text-position.ts'

export interface ReadLimits {
  /** Largest file in bytes. [64 MiB] */
  maxBytes?: number
  /** Largest expanded trace, roughly the code units of its v2 text. [1 GiB] */
  maxExpanded?: number
  /** Deepest nesting of objects and arrays. [256] */
  maxDepth?: number
}

export const defaultLimits = { maxBytes: 64 * 2 ** 20, maxExpanded: 2 ** 30, maxDepth: 256 }

/**
 * The JSON value of a cassette text.
 * @throws CassetteConflictError where the text holds merge conflict markers
 * @throws CassetteCorruptError for everything else that is no strict JSON; never with a piece of the text
 */
export function readJson(text: string, path: string | undefined, limits: ReadLimits = {}): JsonValue {
  const { maxBytes, maxDepth } = { ...defaultLimits, ...limits }
  return reportFaults(text, path, () => {
    if (text.length > maxBytes || (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes)) {
      throw new Fault(`the file is larger than ${maxBytes} bytes`, 0)
    }
    if (text.charCodeAt(0) === 0xfeff) throw new Fault('the file starts with a byte order mark', 0)
    if (text.trim() === '') throw new Fault('the file is empty', 0)
    return parseStrictJson(text, maxDepth)
  })
}

/** Runs a reader and turns its faults into the error that a user meets. */
export function reportFaults<T>(text: string, path: string | undefined, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw typeof error.at === 'number'
      ? (conflictError(text, path) ?? faultError(error, text, path))
      : faultError(error, text, path)
  }
}

// A raw line cannot start like this inside valid JSON, so only broken text is searched.
const conflictMarker = /^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|$)/m

function conflictError(text: string, path: string | undefined): CassetteConflictError | undefined {
  const marker = conflictMarker.exec(text)
  if (marker === null) return undefined
  const { line } = textPosition(text, marker.index)
  return new CassetteConflictError(
    [
      'the cassette contains merge conflict markers',
      `  ${path === undefined ? `line ${line}` : `${path}:${line}`}`,
      '  Choose a side (git checkout --ours FILE, git checkout --theirs FILE), or record the run again.',
    ].join('\n'),
    { ...(path === undefined ? {} : { path }), line },
  )
}

function faultError(fault: Fault, text: string, path: string | undefined): CassetteCorruptError {
  const offset = typeof fault.at === 'number' ? fault.at : valueOffset(text, fault.at)
  const { line, column } = textPosition(text, offset)
  const step = typeof fault.at === 'object' && fault.at[0] === 'steps' ? fault.at[1] : undefined
  // Names deeper in a payload are the user's own.
  const member = typeof fault.at === 'object' ? formatPath(fault.at.slice(0, 3)) : ''
  return new CassetteCorruptError(
    `the cassette is broken: ${fault.message}\n  ${path === undefined ? `line ${line}, column ${column}` : `${path}:${line}:${column}`}`,
    {
      ...(path === undefined ? {} : { path }),
      line,
      column,
      ...(typeof step === 'number' ? { step } : {}),
      ...(member === '' ? {} : { member }),
    },
  )
}
