import { dirname, isAbsolute, resolve } from 'node:path'
import type { Loss } from '@retake/formats'
import { CassetteCorruptError, type CassetteFile, ConfigError, isRetakeError } from '@retake/trace'
import type { OpenCassette } from '../cassette.ts'
import { cassetteExtension } from '../cassette-path.ts'
import { formats } from '../late-formats.ts'
import { readCassette } from '../read-cassette.ts'

/** Where the option `from` points: beside the test file, where it is no absolute path. */
export const fromPath = ({ test }: OpenCassette, from: string): string =>
  isAbsolute(from) ? from : resolve(dirname(test.file), from)

/** A run that was read, as far as a replay needs it. */
export interface ReadFrom extends Pick<CassetteFile, 'trace' | 'extras'> {
  /** The file is of another tool. */
  isForeign?: boolean
}

/**
 * The run in a file of any known format, as far as a replay needs it.
 * @param option what the file was given as, for messages
 * @throws ConfigError where there is none, or where it lacks what an SDK needs; CassetteCorruptError for one that was
 * changed after it was written, and the errors of its format
 */
export function readFrom(path: string, option = 'from'): ReadFrom {
  const { detectFormat, findDamage, openSource } = formats()
  const source = openSource(path)
  const format = detectFormat(source)
  if (!format)
    throw new ConfigError(`the file of the option "${option}" is in no format that retake knows\n  ${path}`, {
      path,
      option,
    })
  if (format.name === 'retake') return readCassette(path)
  const damage = format.verify && findDamage(format.verify(source, { strict: false }))
  if (damage) {
    const { name, where = '', detail } = damage
    throw new CassetteCorruptError(`the file does not verify: ${name} at ${where}: ${detail}\n  ${path}`, {
      path,
      check: name,
      where,
    })
  }
  const { trace, extras, missing = [] } = format.read(source)
  refuseMissing(missing, format.name, { path, option })
  return { trace, extras, isForeign: true }
}

function refuseMissing(missing: readonly Loss[], format: string, place: { path: string; option: string }): void {
  const [first] = missing
  if (!first) return
  const lines = missing.slice(0, 3).map(({ where, what }) => `  ${where}: ${what}`)
  const more = missing.length > 3 ? [`  and ${missing.length - 3} more`] : []
  throw new ConfigError(
    [
      `this ${format} file does not hold what a replay through an SDK needs`,
      ...lines,
      ...more,
      `  file  ${place.path}`,
    ].join('\n'),
    { ...place, missing },
  )
}

/** Whether a file is of another tool. One that cannot be read, or has the name of a cassette, is judged as a cassette. */
export function isOfOtherTool(path: string): boolean {
  if (path.endsWith(cassetteExtension)) return false
  try {
    const { detectFormat, openSource } = formats()
    const format = detectFormat(openSource(path))
    return format !== undefined && format.name !== 'retake'
  } catch (error) {
    if (isRetakeError(error)) return false
    throw error
  }
}
