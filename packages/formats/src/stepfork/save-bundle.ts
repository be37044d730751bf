import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { ConfigError } from '@retake/trace'
import { bundleFiles, type StepforkBundle } from './bundle.ts'
import { toStepforkFiles } from './write-bundle.ts'

export interface SaveOptions {
  /** Replace a bundle that is there already. [false] */
  overwrite?: boolean
}

/**
 * Writes a bundle, whole or not at all; makes the folders above it. Redacted before it is hashed.
 * @throws ConfigError for a path that does not end with .sftrace, or where something stands that may not be replaced
 * @throws SecretFoundError for a credential in a structural member
 */
export const saveStepfork = (bundle: StepforkBundle, path: string, options: SaveOptions = {}): void =>
  saveFolder(toStepforkFiles(bundle), path, options)

/** Puts the files of a bundle in their place: beside it first, then by one rename. */
export function saveFolder(files: ReadonlyMap<string, string>, path: string, { overwrite = false }: SaveOptions): void {
  const target = resolve(path)
  refuseTarget(target, overwrite)
  const beside = (what: string) => join(dirname(target), `.${basename(target)}.${what}-${randomUUID()}`)
  const [temporary, backup] = [beside('tmp'), beside('bak')]
  mkdirSync(dirname(target), { recursive: true })
  mkdirSync(temporary)
  try {
    for (const [name, text] of files) writeFileSync(join(temporary, name), text)
    const replaces = existsSync(target)
    if (replaces) renameSync(target, backup)
    try {
      renameSync(temporary, target)
    } catch (error) {
      if (replaces) renameSync(backup, target)
      throw error
    }
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    throw new ConfigError(`the bundle cannot be written\n  ${path}`, { path }, error)
  }
  rmSync(backup, { recursive: true, force: true })
}

function refuseTarget(target: string, overwrite: boolean): void {
  const refuse = (reason: string): never => {
    throw new ConfigError(`the bundle was not written: ${reason}\n  ${target}`, { path: target })
  }
  if (extname(target) !== '.sftrace') refuse('the name of a bundle ends with .sftrace')
  const there = statSync(target, { throwIfNoEntry: false })
  if (!there) return
  if (!there.isDirectory()) refuse('there is a file in its place')
  const held = readdirSync(target)
  if (held.length === 0) return
  if (!overwrite) refuse('the folder is there already and is not empty')
  if (!bundleFiles.every((file) => held.includes(file))) refuse('the folder in its place is no bundle')
}
