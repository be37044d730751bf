import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import type { CassetteFile } from './cassette-file.ts'
import { CassetteCorruptError, ConfigError } from './error.ts'
import { defaultLimits } from './json/read-json.ts'
import { textPosition } from './json/text-position.ts'
import { type ParseOptions, parseCassette } from './parse-cassette.ts'
import type { Trace } from './trace.ts'

/**
 * Reads a cassette file of either format, as `parseCassette` does.
 * @throws ConfigError where there is no readable file
 */
export const loadCassette = (path: string, options: ParseOptions = {}): CassetteFile =>
  parseCassette(readText(path, options.maxBytes), { ...options, path })

/**
 * The trace in a cassette file of either format. The seal of a v3 file is checked; the hash chain of a v2 file is not:
 * that is `verifyTrace`.
 * @throws ConfigError where there is no readable file
 * @throws CassetteCorruptError with line and column for text that is no strict JSON, or no cassette
 * @throws CassetteConflictError for text with merge conflict markers
 * @throws CassetteVersionError for a version this retake does not read
 */
export const loadTrace = (path: string, options: ParseOptions = {}): Trace => loadCassette(path, options).trace

/** The text of a regular file in strict UTF-8. Returns at once for a pipe, which would wait for a writer. */
export function readText(path: string, maxBytes = defaultLimits.maxBytes): string {
  const bytes = onDisk('read', path, () => {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stat = fstatSync(file)
      refuseNoFile(stat, 'read', path)
      if (stat.size > maxBytes) throw tooLarge(path, maxBytes)
      return readFileSync(file)
    } finally {
      closeSync(file)
    }
  })
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw notUtf8(path, bytes)
  }
}

/** @throws ConfigError for a folder, a pipe or a device */
export function refuseNoFile(stat: Stats, what: 'read' | 'written', path: string): void {
  if (stat.isFile()) return
  const kind = stat.isDirectory() ? 'a folder' : 'a pipe or a device'
  throw new ConfigError(`the cassette cannot be ${what}: it is ${kind}\n  ${path}`, { path })
}

/** @throws ConfigError for what the disk refuses */
export function onDisk<T>(what: 'read' | 'written', path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) throw error
    const reason = reasons[code] ?? code
    throw new ConfigError(`the cassette cannot be ${what}: ${reason}\n  ${path}`, { path, reason: code }, error)
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EEXIST: 'a part of its path is no folder',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'it is in a file system that is only read',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
}

const tooLarge = (path: string, maxBytes: number): CassetteCorruptError =>
  new CassetteCorruptError(`the cassette is broken: the file is larger than ${maxBytes} bytes\n  ${path}`, { path })

function notUtf8(path: string, bytes: Uint8Array): CassetteCorruptError {
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const back = Buffer.from(lossy)
  let offset = 0
  while (offset < back.length && back[offset] === bytes[offset]) offset++
  const before = back.toString('utf8', 0, offset)
  const { line, column } = textPosition(before, before.length)
  return new CassetteCorruptError(`the cassette is broken: a byte is no UTF-8\n  ${path}:${line}:${column}`, {
    path,
    line,
    column,
  })
}
