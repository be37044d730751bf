import { mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { escapeInvisible } from '@retake/compare'
import { ConfigError } from '@retake/trace'
import { findOrphans, listTakesOf } from '../changes/takes.ts'
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
    'Takes whose cassette is gone are listed too.',
    'Exit code: 0 nothing is left to remove, 1 something is, 2 the tests could not be run to their end.',
  ].join('\n'),

  run({ args, flags }, io) {
    const { obsolete, missing, failed } = findObsolete(args, io)
    const orphans =
      args.length === 0
        ? findOrphans(io.cwd).map((take) => ({ path: resolve(io.cwd, take), reason: goneCassette }))
        : []
    const rows = [...obsolete, ...orphans].map((cassette) => ({
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
      io.print(conclude({ listed: rows.length, unused: unused.length, removed, failed, hasTakes: orphans.length > 0 }))
    }
    return rows.length === (removed ? unused.length : 0) ? exitCode.yes : exitCode.no
  },
}

const goneCassette = 'its cassette is gone'

interface Obsolete extends Pick<ToldRun, 'obsolete' | 'missing'> {
  /** Tests failed, and keep what they may use. */
  failed: boolean
}

/** A test moves within its file, or with its name to another. */
const mayBe = (from: string, to: string): boolean => dirname(from) === dirname(to) || basename(from) === basename(to)

interface Conclusion {
  listed: number
  unused: number
  removed: boolean
  failed: boolean
  hasTakes: boolean
}

const conclude = ({ listed, unused, removed, failed, hasTakes }: Conclusion): string => {
  if (listed === 0)
    return failed ? 'nothing to remove: tests failed, and keep their cassettes' : 'every cassette is used by a test'
  const noun = hasTakes ? 'file' : 'cassette'
  const what = `${unused} ${noun}${unused === 1 ? '' : 's'}`
  const kept = listed > unused ? `, ${listed - unused} kept` : ''
  if (removed) return `${what} removed${kept}`
  return unused === 0 ? `nothing to remove${kept}` : `${what} to remove${kept}: npx retake prune --yes`
}

/** The run tells it by a file: its output is for people. */
const findObsolete = (args: readonly string[], { cwd, warn }: Io): Obsolete => {
  const folder = mkdtempSync(join(tmpdir(), 'retake-prune-'))
  try {
    const runner = findRunner(cwd)
    const { output, exitCode: code } = runRunner({
      runner,
      args: runner === 'vitest' ? ['run', '--reporter=default', ...args] : args,
      cwd,
      env: { RETAKE: 'replay', RETAKE_RUN: folder },
    })
    const [run] = readRuns(folder)
    if (run && (code === 0 || ranSomething(run))) return { ...run, failed: code !== 0 }
    warn(output.trim().split('\n').slice(-20).join('\n'))
    throw new ConfigError('the tests could not be run to their end, so nothing is known of their cassettes')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A filter that no test file fits, or a file that cannot be loaded, says nothing of cassettes. */
const ranSomething = ({ cassettes, missing, obsolete }: ToldRun): boolean =>
  cassettes.length + missing.length + obsolete.length > 0

const remove = (path: string): void => {
  for (const file of [path, ...listTakesOf(path)]) rmSync(file, { force: true })
  try {
    rmdirSync(dirname(path))
  } catch {
    // Other cassettes are in it.
  }
}
