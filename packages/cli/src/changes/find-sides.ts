import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '@retake/trace'
import { UsageError } from '../command.ts'
import { findCommit, findMergeBase, isCommit } from '../git/commit.ts'
import { type Side, toCommitSide, toFolderSide } from './side.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const workingTree = 'working tree'

/**
 * What a command line compares: `main...HEAD` (since they parted), `main..HEAD`, `main` (with the working tree), two
 * commits or two folders. Without any, what a pull request of GitHub or GitLab brings, else what is not committed.
 *
 * @throws UsageError, ConfigError for what git does not know
 */
export const findSides = (args: readonly string[], cwd: string, env: Environment): [base: Side, head: Side] => {
  const [first, second, ...others] = args
  if (others.length > 0) throw new UsageError(`report takes two sides, not ${args.length}`)
  if (first === undefined) return findSides([defaultRange(env)], cwd, env)
  if (second === undefined) return fromRange(first, cwd)
  if (isFolder(first, cwd) && isFolder(second, cwd)) return [toFolder(first, cwd), toFolder(second, cwd)]
  for (const [folder, other] of [
    [first, second],
    [second, first],
  ] as const) {
    if (isFolder(folder, cwd) && !isCommit(folder, cwd)) {
      throw new ConfigError(
        `"${folder}" is a folder, and "${other}" is none: two folders are compared, or two commits`,
        {
          path: other,
        },
      )
    }
  }
  return [toCommitSide(findCommit(first, cwd), cwd), toCommitSide(findCommit(second, cwd), cwd)]
}

const defaultRange = ({ GITHUB_BASE_REF, CI_MERGE_REQUEST_DIFF_BASE_SHA }: Environment): string => {
  if (GITHUB_BASE_REF) return `origin/${GITHUB_BASE_REF}...HEAD`
  return CI_MERGE_REQUEST_DIFF_BASE_SHA ? `${CI_MERGE_REQUEST_DIFF_BASE_SHA}..HEAD` : 'HEAD'
}

const fromRange = (range: string, cwd: string): [Side, Side] => {
  const [, from, dots, to] = /^(.*?)(\.\.\.?)(.*)$/.exec(range) ?? []
  if (dots === undefined) return [toCommitSide(findCommit(range, cwd), cwd), toFolderSide(cwd, workingTree)]
  const [one, other] = [findCommit(from || 'HEAD', cwd), findCommit(to || 'HEAD', cwd)]
  const base = dots === '...' ? findMergeBase(one, other, cwd) : one
  return [toCommitSide(base, cwd), toCommitSide(other, cwd)]
}

const isFolder = (path: string, cwd: string): boolean =>
  statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true

const toFolder = (path: string, cwd: string): Side => toFolderSide(resolve(cwd, path), path)
