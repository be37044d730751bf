import { setTimeout as wait } from 'node:timers/promises'
import { type CassetteFolder, type CassetteReport, hasCassettes, isRunAwaited } from '@retake/session/runner'
import { hasColors } from './colors.ts'
import { late } from './load-late.ts'
import { toRanFiles } from './ran-files.ts'
import { allowProgress } from './recording-progress.ts'
import { type FileReport, openRunFolder, takeFileReports } from './run-folder.ts'
import { findSameFailures } from './same-failures.ts'

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
  watch: boolean
  watchAll: boolean
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
    allowProgress(process.stderr.isTTY === true)
  }

  onRunStart(): void {
    takeFileReports(this.#folder)
    this.#fails = false
  }

  async onRunComplete(_contexts: unknown, { wasInterrupted }: RunResults): Promise<void> {
    const config = this.#config
    const files = takeFileReports(this.#folder)
    const reports = files.flatMap(({ tests }) => tests.flatMap((test) => test.reports ?? []))
    const searched = wasInterrupted ? { files: [], places: [] } : searchedBy(config, files)
    // What a run without cassettes has to say is nothing, and costs nothing.
    if (reports.length === 0 && !isRunAwaited() && !hasCassettes(searched.files, searched.places)) return
    const { concludeRun, createPlaces, findNotices, listObsolete, renderRecordingNotices, renderSummary } = late()
    const conclusion = concludeRun({
      reports,
      obsolete: listObsolete(searched.files, searched.places),
      settings: files,
      isInterrupted: wasInterrupted,
    })
    this.#fails = conclusion.fails
    const options = { ...createPlaces(config.rootDir), colors: hasColors(), runner: 'jest' as const }
    const summary = renderSummary({ ...conclusion, same: findSameFailures(files) }, options)
    const notices = renderRecordingNotices(findNotices(reports, placesOf(files)), options)
    // Where Jest prints its own.
    if (summary !== '') process.stderr.write(`${summary}${notices}${notices && '\n'}\n`)
    if ((config.watch || config.watchAll) && (conclusion.removed || reports.some(isWritten))) await wait(watcherDelay)
  }

  /** Jest ends with a failure for it. */
  getLastError(): Error | undefined {
    return this.#fails ? new Error('obsolete cassettes fail the run under CI') : undefined
  }
}

/** By then Jest has heard of what this run wrote. While a run is on it starts no other. */
const watcherDelay = 500

const isWritten = ({ kind }: CassetteReport): boolean => kind === 'recorded' || kind === 'updated' || kind === 'waiting'

/** Nothing is known of what a shard, or a chosen project, leaves to others; and a run without cassettes uses none. */
const searchedBy = (config: GlobalConfig, files: readonly FileReport[]) =>
  config.shard || choosesProjects() || files.some(({ mode }) => mode === 'off')
    ? { files: [], places: [] }
    : { files: toRanFiles(files), places: isWholeRun(config) ? placesOf(files) : [] }

/** Jest tells no reporter of it. */
const choosesProjects = (): boolean =>
  process.argv.some((argument) => /^--(select|ignore)-?projects(=|$)/i.test(argument))

const placesOf = (files: readonly FileReport[]): CassetteFolder[] => {
  const places = files.map(({ root, dir }) => ({ root, dir }))
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()]
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
