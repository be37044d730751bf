import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mode } from '@retake/session'
import { type CassetteReport, defaultDir } from '@retake/session/runner'
import type { CircusTest } from './circus.ts'
import { titlesOf } from './file-tests.ts'
import type { TestFile } from './test-file.ts'

/** What became of a test file, as the process that ran it tells the reporter. */
export interface FileReport {
  /** Absolute path. */
  path: string
  /** Folder of its cassettes, relative to its own. */
  dir: string
  /** Absolute path of the project. */
  root: string
  mode: Mode
  ci: boolean
  /** In the order of definition. */
  tests: {
    titles: string[]
    passed: boolean
    reports?: CassetteReport[]
    /** What differs, where the test failed for it, and what is equal for tests that failed with the same difference. */
    failure?: { what: string; cause: string }
  }[]
}

/** Jest has no other way from the processes that run tests to a reporter: its workers inherit this. */
const variable = 'RETAKE_JEST_RUN'

/** Makes the folder in which the processes of a run leave their reports; it goes with this process. */
export const openRunFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'retake-jest-'))
  process.env[variable] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Without the reporter nobody asks. */
export const writeFileReport = (file: TestFile, root: string, tests: readonly CircusTest[]): void => {
  const folder = process.env[variable]
  if (!folder) return
  const { options, mode, ci } = file.settings
  const report: FileReport = {
    path: file.path,
    dir: options.dir ?? defaultDir,
    root,
    mode,
    ci,
    tests: tests.map((test) => {
      const reports = file.reports.get(test)
      const shown = file.mismatches.get(test)
      return {
        titles: titlesOf(test),
        passed: file.done.has(test) && test.errors.length === 0,
        ...(reports && { reports }),
        ...(shown && { failure: { what: shown.what, cause: shown.cause } }),
      }
    }),
  }
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(report)}\n`)
}

/** The reports that are there; they are gone afterwards. */
export const takeFileReports = (folder: string): FileReport[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
    rmSync(path)
    return lines.map((line) => JSON.parse(line) as FileReport)
  })
