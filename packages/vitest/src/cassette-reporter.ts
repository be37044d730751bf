import type { Mode } from '@retake/session'
import { type CassetteFolder, type CassetteReport, hasCassettes, isRunAwaited } from '@retake/session/runner'
import type { Reporter, TestModule, TestProject, Vitest } from 'vitest/node'
import { foldErrors } from './fold-errors.ts'
import { hasReader, isForPeople } from './for-people.ts'
import { toRanFiles } from './ran-files.ts'
import type { Searched } from './summarize-run.ts'

/** What the summary must know of a project. */
export interface ReportedProject {
  /** Folder of its cassettes, beside each test file. */
  dir: string
  /** Mode of its tests, where they ask for none. */
  mode: Mode
  ci: boolean
}

type Projects = Map<TestProject, ReportedProject>
const projectsOf = new WeakMap<object, Projects>()

/** Adds the summary to the reporters of a run, once, and a project to what it looks at. */
export const addCassetteReporter = (vitest: Vitest, project: TestProject, reported: ReportedProject): void => {
  const known = projectsOf.get(vitest.config)
  const projects: Projects = known ?? new Map()
  projects.set(project, reported)
  projectsOf.set(vitest.config, projects)
  if (known) return
  const reporters = vitest.config.reporters as unknown[]
  const forPeople = hasReader(vitest)
  reporters.splice(
    0,
    reporters.length,
    ...reporters.flatMap((reporter) => (isForPeople(reporter) ? withFolding(reporter, vitest) : [reporter])),
    createCassetteReporter(vitest, projects, forPeople),
  )
}

/** Reporters get the end of a run one after the other: between the two, errors of one cause are the same. */
const withFolding = (reporter: unknown, vitest: Vitest): unknown[] => {
  let unfold: (() => void) | undefined
  const before: Reporter = {
    onTestRunEnd(modules) {
      unfold = foldErrors(modules, vitest.config.root)
    },
  }
  const after: Reporter = { onTestRunEnd: () => unfold?.() }
  return [before, reporter, after]
}

const createCassetteReporter = (vitest: Vitest, projects: Projects, forPeople: boolean): Reporter => ({
  async onTestRunEnd(modules, _errors, reason) {
    const isInterrupted = reason === 'interrupted'
    const reports = modules.flatMap(toReports)
    const searched = isInterrupted ? { files: [], places: [] } : searchedBy(vitest, projects, modules)
    // What a run without cassettes has to say is nothing, and costs nothing.
    if (reports.length === 0 && !isRunAwaited() && !hasCassettes(searched.files, searched.places)) return
    const { summarizeRun } = await import('./summarize-run.ts')
    const { root } = vitest.config
    const run = { reports, searched, settings: [...projects.values()], places: placesOf(projects), isInterrupted, root }
    const { fails, summary, notices } = summarizeRun(run)
    if (fails) process.exitCode = 1
    if (summary === '') return
    if (forPeople) vitest.logger.log(`\n${summary}${notices}`)
    else if (fails) vitest.logger.error(`\n${summary}`)
  },
})

const toReports = (module: TestModule): CassetteReport[] =>
  [...module.children.allTests()].flatMap((test) => test.meta().retake ?? [])

/** Nothing is known of what a shard, or a chosen project, leaves to others; and a run without cassettes uses none. */
const searchedBy = (vitest: Vitest, projects: Projects, modules: readonly TestModule[]): Searched => {
  const { shard, project: chosen } = vitest.config
  if (shard || chosen.length > 0 || [...projects.values()].some(({ mode }) => mode === 'off')) {
    return { files: [], places: [] }
  }
  const names = new Map([...projects].map(([{ name }, { dir }]) => [name, dir]))
  return {
    files: toRanFiles(modules, (name) => names.get(name)),
    places: isWholeRun(vitest, modules) ? placesOf(projects) : [],
  }
}

const placesOf = (projects: Projects): CassetteFolder[] =>
  [...projects].map(([{ config }, { dir }]) => ({ root: config.root, dir }))

/** False where files were chosen, by name or by what changed. */
const isWholeRun = (vitest: Vitest, modules: readonly TestModule[]): boolean => {
  const { filenamePattern, config } = vitest as Vitest & { filenamePattern?: string[] }
  return modules.length > 0 && !filenamePattern && !config.related && !config.changed
}
