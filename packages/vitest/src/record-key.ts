import type { TestModule, TestProject, Vitest } from 'vitest/node'
import type { ProvidedSettings } from './worker-state.ts'

type Projects = Map<TestProject, { settings: ProvidedSettings; updating: ProvidedSettings }>

const projectsOf = new WeakMap<object, Projects>()
let listening: (() => void) | undefined

/**
 * In watch mode the key `k` records again: what failed on its cassette, or everything with a cassette where nothing did.
 * `updating` is what the workers of the project are told meanwhile.
 */
export const addRecordKey = (
  vitest: Vitest,
  project: TestProject,
  settings: ProvidedSettings,
  updating: ProvidedSettings,
): void => {
  const { stdin } = process
  if (!vitest.config.watch || !stdin.isTTY) return
  const known = projectsOf.get(vitest.config)
  const projects: Projects = known ?? new Map()
  projects.set(project, { settings, updating })
  projectsOf.set(vitest.config, projects)
  if (known) return
  let running = false
  const onKey = async (_text: string, key?: { name?: string; ctrl?: boolean; meta?: boolean }) => {
    if (running || key?.name !== 'k' || key.ctrl || key.meta || isTyping()) return
    running = true
    await recordAgain(vitest, projects).finally(() => {
      running = false
    })
  }
  // A config that changed makes a new run of the same process.
  listening?.()
  stdin.on('keypress', onKey)
  listening = () => stdin.off('keypress', onKey)
}

/** Vitest takes its own listener away while it asks for a name or a pattern. */
const isTyping = (): boolean => !process.stdin.listeners('keypress').some(({ name }) => name === 'keypressHandler')

const recordAgain = async (vitest: Vitest, projects: Projects): Promise<void> => {
  const modules = vitest.state.getTestModules()
  const failed = modules.filter((module) => hasCassette(module, 'failed'))
  const chosen = failed.length > 0 ? failed : modules.filter((module) => hasCassette(module))
  const allowed = chosen.filter(({ project }) => projects.get(project)?.updating.mode === 'update')
  if (allowed.length === 0) {
    const why = chosen.length === 0 ? 'no test of this run has a cassette' : 'the mode of this run does not allow it'
    vitest.logger.log(`\n[retake] nothing to record: ${why}`)
    return
  }
  const specifications = allowed.map((module) => module.toTestSpecification())
  for (const [project, { updating }] of projects) project.provide('retake', updating)
  try {
    await vitest.rerunTestSpecifications(specifications)
  } finally {
    for (const [project, { settings }] of projects) project.provide('retake', settings)
  }
}

const hasCassette = (module: TestModule, kind?: 'failed'): boolean => {
  for (const test of module.children.allTests()) {
    if (test.meta().retake?.some((report) => kind === undefined || report.kind === kind)) return true
  }
  return false
}
