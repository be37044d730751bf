import { dirname, isAbsolute, resolve } from 'node:path'
import type { Loss } from '@retake/formats'
import { CassetteCorruptError, type CassetteFile, ConfigError } from '@retake/trace'
import type { OpenCassette } from '../cassette.ts'
import { formats } from '../late-formats.ts'
import { readCassette } from '../store.ts'

/** Where the option `from` points: beside the test file, where it is no absolute path. */
export const fromPath = ({ test }: OpenCassette, from: string): string =>
  isAbsolute(from) ? from : resolve(dirname(test.file), from)

/**
 * The run in a file of any known format, as far as a replay needs it.
 * @throws ConfigError where there is none, or where it lacks what an SDK needs; CassetteCorruptError for one that was
 * changed after it was written, and the errors of its format
 */
export function readFrom(path: string): Pick<CassetteFile, 'trace' | 'extras'> {
  const { detectFormat, findDamage, openSource } = formats()
  const source = openSource(path)
  const format = detectFormat(source)
  if (!format)
    throw new ConfigError(`the file of the option "from" is in no format that retake knows\n  ${path}`, { path })
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
  refuseMissing(missing, path, format.name)
  return { trace, extras }
}

function refuseMissing(missing: readonly Loss[], path: string, format: string): void {
  const [first] = missing
  if (!first) return
  const lines = missing.slice(0, 3).map(({ where, what }) => `  ${where}: ${what}`)
  const more = missing.length > 3 ? [`  and ${missing.length - 3} more`] : []
  throw new ConfigError(
    [`this ${format} file does not hold what a replay through an SDK needs`, ...lines, ...more, `  file  ${path}`].join(
      '\n',
    ),
    { path, option: 'from', missing },
  )
}
