import { mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { escapeInvisible } from '@retake/compare'
import { ConfigError } from '@retake/trace'
import { listTakesOf } from '../changes/takes.ts'
import { type Command, exitCode } from '../command.ts'
import { findRunner } from '../find-runner.ts'
import { formatDocument } from '../format-document.ts'
import type { Io } from '../io.ts'
import { readRuns, type ToldRun } from '../read-runs.ts'
import { runRunner } from '../run-runner.ts'

export const prune: Command = {
  name: 'prune',
  args: '[test files…]',
  summary: 'Remove cassettes that no test uses any more; lists them unless --yes is given',
  flags: { yes: 'Remove them', json: 'Print one JSON document' },
  details: [
    'Runs the tests once with Vitest or Jest, replaying: nothing is recorded. A cassette whose test failed or was skipped stays,',
    'and so does one that may be that of a renamed test, because a test beside it has none: `retake mv` moves it.',
    'Exit code: 0 nothing is left to remove, 1 something is, 2 the tests could not be run to their end.',
  ].join('\n'),

  run({ args, flags }, io) {
    const { obsolete, missing } = findObsolete(args, io)
    const rows = obsolete.map((cassette) => ({
      ...cassette,
      rival: missing.find((path) => mayBe(cassette.path, path)),
    }))
    const unused = rows.filter(({ rival }) => rival === undefined)
    const removed = flags.has('yes')
    if (removed) for (const { path } of unused) remove(path)
    const short = (path: string): string => relative(io.cwd, path)
    if (flags.has('json')) {
      const document = rows.map(({ path, reason, rival }) => ({
        file: short(path),
        reason,
        ...(rival !== undefined && { renamed: short(rival) }),
        removed: removed && rival === undefined,
      }))
      io.print(formatDocument(document))
    } else {
      for (const { path, reason, rival } of rows) {
        const word = rival === undefined ? (removed ? 'removed ' : 'obsolete') : 'renamed?'
        const why = rival === undefined ? reason : `${short(rival)} is missing: npx retake mv`
        io.print(`${word}  ${escapeInvisible(short(path))}  ${io.style.dim(escapeInvisible(`(${why})`))}`)
      }
      io.print(conclude(rows.length, unused.length, removed))
    }
    return rows.length === (removed ? unused.length : 0) ? exitCode.yes : exitCode.no
  },
}

type Obsolete = Pick<ToldRun, 'obsolete' | 'missing'>

/** A test moves within its file, or with its name to another. */
const mayBe = (from: string, to: string): boolean => dirname(from) === dirname(to) || basename(from) === basename(to)

const conclude = (obsolete: number, unused: number, removed: boolean): string => {
  if (obsolete === 0) return 'every cassette is used by a test'
  const what = `${unused === 1 ? '1 cassette' : `${unused} cassettes`}`
  const kept = obsolete > unused ? `, ${obsolete - unused} kept` : ''
  if (removed) return `${what} removed${kept}`
  return unused === 0 ? `nothing to remove${kept}` : `${what} to remove${kept}: npx retake prune --yes`
}

/** The run tells it by a file: its output is for people. */
const findObsolete = (args: readonly string[], { cwd, warn }: Io): Obsolete => {
  const folder = mkdtempSync(join(tmpdir(), 'retake-prune-'))
  try {
    const runner = findRunner(cwd)
    const output = runRunner({
      runner,
      args: runner === 'vitest' ? ['run', '--reporter=default', ...args] : args,
      cwd,
      env: { RETAKE: 'replay', RETAKE_RUN: folder },
    })
    const [run] = readRuns(folder)
    if (run) return run
    warn(output.trim().split('\n').slice(-20).join('\n'))
    throw new ConfigError('the tests could not be run to their end, so nothing is known of their cassettes')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const remove = (path: string): void => {
  for (const file of [path, ...listTakesOf(path)]) rmSync(file, { force: true })
  try {
    rmdirSync(dirname(path))
  } catch {
    // Other cassettes are in it.
  }
}
