import { resolve, sep } from 'node:path'
import { readText } from '@retake/trace'
import { findFiles } from '../find-files.ts'
import { type Commit, listCassettes, readBlobs } from '../git/commit.ts'

/** Cassettes of one side of a comparison. */
export interface Side {
  /** `main (3f2a1c9)`, `working tree` */
  label: string
  /** Paths from the folder of the side, with slashes; with ids that are equal only for equal files, where there are. */
  files: ReadonlyMap<string, string | undefined>
  /** Gets ready to read these paths, in their order; each may throw a RetakeError. */
  open(paths: readonly string[]): (() => string)[]
}

export const toCommitSide = (commit: Commit, cwd: string): Side => {
  const files = listCassettes(commit, cwd)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return {
    label: `${commit.name} (${commit.id.slice(0, 7)})`,
    files,
    open(paths) {
      const ids = paths.map((path) => files.get(path) ?? '')
      return readBlobs(ids, cwd).map((blob) => () => decoder.decode(blob))
    },
  }
}

/** A folder of this machine, with all cassettes below it. */
export const toFolderSide = (folder: string, label: string): Side => ({
  label,
  files: new Map(findFiles(['.'], folder).files.map((path) => [path.replaceAll(sep, '/'), undefined])),
  open: (paths) => paths.map((path) => () => readText(resolve(folder, path))),
})
