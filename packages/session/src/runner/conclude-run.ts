import { rmdirSync, rmSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Mode } from '../cassette.ts'
import { quoteArgument } from '../quote-argument.ts'
import { findTakes } from '../takes.ts'
import type { CassetteReport } from './cassette-report.ts'
import type { CassetteFolder } from './find-cassettes.ts'
import { findObsolete, findOrphans, type ObsoleteCassette } from './obsolete-cassettes.ts'
import type { RanFile } from './ran-files.ts'
import { findMissing, findRenamed, type RenamedCassette } from './renamed-cassettes.ts'
import { tellRun } from './tell-run.ts'

/** A run that is over, as its reporter saw it. */
export interface EndedRun {
  /** Of every cassette of every test. */
  reports: readonly CassetteReport[]
  obsolete: readonly ObsoleteCassette[]
  /** What its projects, or files, ran with. */
  settings: readonly { mode: Mode; ci: boolean }[]
  isInterrupted: boolean
}

export interface RunConclusion {
  reports: readonly CassetteReport[]
  obsolete: readonly ObsoleteCassette[]
  removed: boolean
  strict: boolean
  renamed: RenamedCassette[]
  /** Takes that wait beside the cassettes of the run, from this run or an earlier one. */
  waiting: number
  /** The run fails for what is obsolete. */
  fails: boolean
}

/** Removes what an update left without a test, fails a run under CI for it, and tells the command that started it. */
export const concludeRun = ({ reports, obsolete, settings, isInterrupted }: EndedRun): RunConclusion => {
  const removed = obsolete.length > 0 && settings.some(({ mode }) => mode === 'update')
  const strict = settings.some(({ ci }) => ci)
  const paths = obsolete.map(({ path }) => path)
  const renamed = removed ? [] : findRenamed(paths, reports)
  if (!isInterrupted) tellRun({ cassettes: reports, obsolete, missing: findMissing(reports) })
  if (removed) removeAll(paths)
  const waiting = new Set(reports.flatMap(({ path }) => findTakes(path))).size
  return { reports, obsolete, removed, strict, renamed, waiting, fails: obsolete.length > 0 && strict && !removed }
}

/** Of the files that ran, and in `projects` of the test files that are gone; each once. */
export const listObsolete = (files: readonly RanFile[], projects: readonly CassetteFolder[]): ObsoleteCassette[] => {
  const places = new Map(projects.map((place) => [JSON.stringify([place.root, place.dir]), place]))
  const orphans = [...places.values()].flatMap(findOrphans)
  const found = [...files.flatMap(findObsolete), ...orphans]
  return [...new Map(found.map((cassette) => [cassette.path, cassette])).values()]
}

/** How a summary writes paths: as they are listed, and as arguments of a command that is run where the tests were. */
export const createPlaces = (root: string) => ({
  listed: (path: string): string => relative(root, path),
  argument: (path: string): string => quoteArgument(relative(process.cwd(), path)),
})

const removeAll = (paths: readonly string[]): void => {
  for (const path of paths) for (const file of [path, ...findTakes(path)]) rmSync(file, { force: true })
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    try {
      rmdirSync(folder)
    } catch {
      // Something else is in it.
    }
  }
}
