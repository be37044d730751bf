import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const bundlesFolder = join(import.meta.dirname, '../../../test/corpus/stepfork')

export const bundleNames = readdirSync(bundlesFolder)
  .filter((name) => name.endsWith('.sftrace'))
  .sort()

export const bundlePath = (name: string): string => join(bundlesFolder, `${name}.sftrace`)

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'retake-formats-'))

/** A copy of a public bundle that a test may change. */
export function copyBundle(name: string): string {
  const path = join(newFolder(), `${name}.sftrace`)
  cpSync(bundlePath(name), path, { recursive: true })
  return path
}

/** Replaces the first place of a text in a file, which must be there. */
export function edit(folder: string, file: string, from: string, to: string): void {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(from)) throw new TypeError(`${file} has no ${from}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
}

/** The bytes of every file of a folder, to see that nothing was written. */
export const snapshot = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  )
