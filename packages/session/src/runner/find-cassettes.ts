import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { escapePath, globSync } from 'tinyglobby'
import { cassetteExtension } from '../cassette-path.ts'
import type { RanFile } from './ran-files.ts'

/** Where a project has its cassettes: below `root`, in a folder `dir` beside each test file. */
export interface CassetteFolder {
  root: string
  dir: string
}

/** Absolute paths of all cassettes of a project, sorted. */
export const findCassettes = ({ root, dir }: CassetteFolder): string[] => {
  const inFolder = escapePath(join(dir).replaceAll(sep, '/'))
  const found = globSync(`**/${inFolder}/*/*${cassetteExtension}`, {
    cwd: root,
    absolute: true,
    ignore: ['**/node_modules/**'],
  })
  return found.map((path) => join(path)).sort()
}

/** Absolute paths of the cassettes of one test file, sorted. */
export const listCassettes = ({ path, dir }: Pick<RanFile, 'path' | 'dir'>): string[] => {
  const folder = join(dirname(path), dir, basename(path))
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => name.endsWith(cassetteExtension))
    .sort()
    .map((name) => join(folder, name))
}

/** Is there any cassette beside these test files, or in these projects? */
export const hasCassettes = (files: readonly RanFile[], projects: readonly CassetteFolder[]): boolean =>
  files.some((file) => listCassettes(file).length > 0) || projects.some((project) => findCassettes(project).length > 0)
