import { ConfigError } from '@retake/trace'
import { runGit, tryGit } from './git.ts'

/** A commit as a person named it. */
export interface Commit {
  /** `main` */
  name: string
  /** Its full id. */
  id: string
}

/** @throws ConfigError where this is no repository, or it has no such commit */
export const findCommit = (name: string, cwd: string): Commit => {
  const out = resolveCommit(name, cwd)
  if (out !== undefined) return { name, id: out.toString().trim() }
  runGit({ cwd, args: ['rev-parse', '--git-dir'] }, 'this folder is in no git repository')
  throw new ConfigError(
    `git knows no commit "${name}"; in a pipeline that fetches little, fetch it first (actions/checkout: fetch-depth: 0)`,
    { ref: name },
  )
}

const resolveCommit = (name: string, cwd: string) =>
  tryGit({ cwd, args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`] })

/** Whether git knows such a commit here. */
export const isCommit = (name: string, cwd: string): boolean => resolveCommit(name, cwd) !== undefined

/** The commit from which both go on. @throws ConfigError where they have none, or it was not fetched */
export const findMergeBase = (one: Commit, other: Commit, cwd: string): Commit => {
  const out = runGit(
    { cwd, args: ['merge-base', one.id, other.id] },
    `git finds no common commit of "${one.name}" and "${other.name}"; fetch the whole history (actions/checkout: fetch-depth: 0)`,
  )
  return { name: one.name, id: out.toString().trim() }
}

/** Ids of the cassettes of a commit in this folder and below, by their path from it. */
export const listCassettes = ({ id }: Commit, cwd: string): Map<string, string> => {
  const out = runGit({ cwd, args: ['ls-tree', '-r', '-z', id] }, `git cannot list the files of ${id}`)
  const entries = out
    .toString()
    .split('\0')
    .flatMap((entry): [string, string][] => {
      const [, mode, blob, path] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? []
      const isCassette = path?.endsWith('.cassette.json') && mode?.startsWith('100')
      return isCassette && path && blob ? [[path, blob]] : []
    })
  return new Map(entries)
}

/** Contents of objects, in the order asked for, by one git. */
export const readBlobs = (ids: readonly string[], cwd: string): Buffer[] => {
  if (ids.length === 0) return []
  const out = runGit(
    { cwd, args: ['cat-file', '--batch'], input: `${ids.join('\n')}\n` },
    'git cannot read its objects',
  )
  let at = 0
  return ids.map((id) => {
    const end = out.indexOf('\n', at)
    const size = Number(/ blob (\d+)$/.exec(out.toString('utf8', at, end))?.[1])
    // A partial clone may lack it.
    if (!Number.isSafeInteger(size)) throw new ConfigError(`git cannot read the object ${id}`, { id })
    at = end + size + 2
    return out.subarray(end + 1, end + 1 + size)
  })
}
