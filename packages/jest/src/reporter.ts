import { renderSummary } from '@retake/report'
import {
  concludeRun,
  createPlaces,
  listObsolete,
  markUsed,
  type ObsoleteCassette,
  type RanFile,
  toRanTests,
} from '@retake/session/runner'
import { hasColors } from './colors.ts'
import { type FileReport, openRunFolder, takeFileReports } from './run-folder.ts'

/** As much of Jest's configuration as is read; names of Jest 29 and 30. */
interface GlobalConfig {
  rootDir: string
  shard?: object
  onlyChanged: boolean
  onlyFailures: boolean
  findRelatedTests: boolean
  nonFlagArgs: string[]
  testPathPattern?: string
  testPathPatterns?: { patterns: string[] }
  runTestsByPath: boolean
}

interface StartedFile {
  context: { config: { watchPathIgnorePatterns: string[] } }
}

interface RunResults {
  wasInterrupted: boolean
}

/** `reporters: ['default', 'retake/jest/reporter']`: what became of the cassettes of a run, and which are obsolete. */
export class CassetteReporter {
  readonly #config: GlobalConfig
  readonly #folder = openRunFolder()
  #fails = false

  constructor(config: GlobalConfig) {
    this.#config = config
  }

  onRunStart(): void {
    takeFileReports(this.#folder)
    this.#fails = false
  }

  onTestFileStart(test: StartedFile): void {
    ignoreCassettes(test)
  }

  onRunComplete(_contexts: unknown, { wasInterrupted }: RunResults): void {
    const config = this.#config
    const files = takeFileReports(this.#folder)
    const conclusion = concludeRun({
      reports: files.flatMap(({ tests }) => tests.flatMap((test) => test.reports ?? [])),
      obsolete: wasInterrupted ? [] : findAllObsolete(config, files),
      settings: files,
      isInterrupted: wasInterrupted,
    })
    this.#fails = conclusion.fails
    const places = createPlaces(config.rootDir)
    const summary = renderSummary(conclusion, { ...places, colors: hasColors(), runner: 'jest' })
    // Where Jest prints its own.
    if (summary !== '') process.stderr.write(`${summary}\n`)
  }

  /** Jest ends with a failure for it. */
  getLastError(): Error | undefined {
    return this.#fails ? new Error('obsolete cassettes fail the run under CI') : undefined
  }
}

/**
 * In watch mode a run would be followed by another for what it wrote. Jest gives reporters the list itself, and no other
 * way to say so.
 */
const ignoreCassettes = ({ context }: StartedFile): void => {
  const { watchPathIgnorePatterns } = context.config
  const pattern = '\\.cassette\\.json$'
  if (!watchPathIgnorePatterns.includes(pattern)) watchPathIgnorePatterns.push(pattern)
}

/** Nothing is known of what a shard leaves to others; and a run without cassettes uses none. */
const findAllObsolete = (config: GlobalConfig, files: readonly FileReport[]): ObsoleteCassette[] =>
  config.shard || files.some(({ mode }) => mode === 'off')
    ? []
    : listObsolete(toRanFiles(files), isWholeRun(config) ? files : [])

/** Two projects may run one file. */
const toRanFiles = (reports: readonly FileReport[]): RanFile[] => {
  const files = new Map<string, RanFile>()
  for (const { path, dir, tests } of reports) {
    const key = JSON.stringify([path, dir])
    const file = files.get(key) ?? { path, dir, tests: [], used: new Set() }
    files.set(key, file)
    file.tests.push(...toRanTests(file, tests))
    for (const { reports } of tests) markUsed(file, reports)
  }
  return [...files.values()]
}

/** False where files were chosen, by name or by what changed. */
const isWholeRun = (config: GlobalConfig): boolean =>
  !config.onlyChanged &&
  !config.onlyFailures &&
  !config.findRelatedTests &&
  !config.runTestsByPath &&
  config.nonFlagArgs.length === 0 &&
  !config.testPathPattern &&
  (config.testPathPatterns?.patterns.length ?? 0) === 0
