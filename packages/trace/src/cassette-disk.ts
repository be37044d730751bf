import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { CassetteFile } from './cassette-file.ts'
import { CassetteCorruptError, ConfigError } from './error.ts'
import { formatCassette } from './format-cassette.ts'
import { type ParseOptions, parseCassette } from './parse-cassette.ts'
import { defaultLimits } from './read-json.ts'
import { refuseSecrets, type SecretOptions } from './secrets.ts'
import { textPosition } from './text-position.ts'
import type { Trace } from './trace.ts'

/**
 * Reads a cassette file of either format, as `parseCassette` does.
 * @throws ConfigError where there is no readable file
 */
export const loadCassette = (path: string, options: ParseOptions = {}): CassetteFile =>
  parseCassette(readText(path, options.maxBytes), { ...options, path })

/** The trace in a cassette file of either format; otherwise as `loadCassette`. */
export const loadTrace = (path: string, options: ParseOptions = {}): Trace => loadCassette(path, options).trace

/**
 * Writes a cassette file in its own format, whole or not at all; makes its folder.
 * @throws SecretFoundError where it holds a credential or one of `secrets.literals`; nothing is written then
 * @throws ConfigError where the file cannot be written
 */
export function saveCassette(file: CassetteFile, path: string, secrets: SecretOptions = {}): void {
  const { trace, test, extras } = file
  refuseSecrets(trace, secrets)
  refuseSecrets({ test, extras }, secrets)
  writeText(path, formatCassette(file))
}

/** Writes a trace as a v2 cassette file, as `saveCassette` does. */
export const saveTrace = (trace: Trace, path: string, secrets: SecretOptions = {}): void =>
  saveCassette({ trace, format: 'v2', extras: [] }, path, secrets)

/** The text of a regular file in strict UTF-8. Returns at once for a pipe, which would wait for a writer. */
export function readText(path: string, maxBytes = defaultLimits.maxBytes): string {
  const bytes = onDisk('read', path, () => {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stat = fstatSync(file)
      if (!stat.isFile()) throw new ConfigError(`${path} is no file`, { path })
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

function writeText(path: string, text: string): void {
  onDisk('written', path, () => {
    // A rename would put a file in the place of a pipe or a device.
    const there = statSync(path, { throwIfNoEntry: false })
    if (there && !there.isFile()) throw new ConfigError(`the cassette cannot be written: ${path} is no file`, { path })
    mkdirSync(dirname(path), { recursive: true })
    writeFileAtomic.sync(path, text)
  })
}

function onDisk<T>(what: 'read' | 'written', path: string, act: () => T): T {
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
  EACCES: 'access is denied',
  EPERM: 'access is denied',
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
