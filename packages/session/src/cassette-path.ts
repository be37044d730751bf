import { createHash } from 'node:crypto'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { ConfigError } from '@retake/trace'

export interface CassettePlace {
  /** Absolute path of the test file. */
  testFile: string
  /** Folder of the cassettes, relative to the folder of the test file. */
  dir: string
  /** Titles from the outermost describe to the test. */
  parts: readonly string[]
  /** 1 for the first test of these titles in its file, in definition order; 2 for the second. */
  duplicate: number
  /** Instead of the titles. It is one part, and never numbered. */
  name?: string | undefined
}

/** Every cassette ends like this. */
export const cassetteExtension = '.cassette.json'

const plainPart = /^[a-z0-9]+( [a-z0-9]+)*$/
const windowsDevice = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/
const longest = 120

/**
 * Name and absolute path of a cassette. Plain titles keep their words; every other title is its slug and eight digits of
 * a hash over all of it, so that no two titles share a file, on file systems without upper case either.
 *
 * @throws ConfigError if `dir` or `name` cannot be used
 */
export const cassettePath = (place: CassettePlace): { path: string; name: string } => {
  const { testFile, dir, parts, duplicate, name } = place
  if (isAbsolute(dir) || dir.split(/[\\/]/).includes('..')) {
    throw new ConfigError('dir must be a folder below the one of the test file, such as "__cassettes__"', { dir })
  }
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) {
    throw new ConfigError('name must be a text that is not empty', { name })
  }
  const base = toFileName(name === undefined ? parts : [name])
  const unique = name === undefined && duplicate > 1 ? `${base}.${duplicate}` : base
  return { name: unique, path: join(dirname(testFile), dir, basename(testFile), unique + cassetteExtension) }
}

const toFileName = (parts: readonly string[]): string => {
  const plain = parts.map((part) => part.replaceAll(' ', '-')).join('--')
  if (plain.length <= longest && parts.every((part) => plainPart.test(part) && !windowsDevice.test(part))) return plain

  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)
  const slug = parts.map(toSlug).filter(Boolean).join('--')
  const cut = slug.slice(0, longest - hash.length - 1).replace(/-+$/, '')
  return cut === '' ? hash : `${cut}-${hash}`
}

const toSlug = (part: string): string =>
  part
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
