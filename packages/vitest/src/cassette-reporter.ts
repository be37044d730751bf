import { relative } from 'node:path'
import type { TestModule, Vitest } from 'vitest/node'
import type { CassetteReport } from './cassette-report.ts'
import { renderSummary } from './render-summary.ts'

const mark = Symbol.for('retake.reporter')
// They are read by programs; a summary between their lines would be noise.
const machineReporters = new Set([
  'json',
  'junit',
  'tap',
  'tap-flat',
  'blob',
  'html',
  'github-actions',
  'hanging-process',
])

/** Adds the summary to the reporters of a run, once, however many projects have the plugin. */
export const addCassetteReporter = (vitest: Vitest): void => {
  const reporters = vitest.config.reporters as unknown[]
  if (reporters.some((reporter) => typeof reporter === 'object' && reporter !== null && mark in reporter)) return
  const forPeople = reporters.some((reporter) => {
    const name = Array.isArray(reporter) ? reporter[0] : reporter
    return typeof name !== 'string' || !machineReporters.has(name)
  })
  if (forPeople) reporters.push({ [mark]: true, onTestRunEnd: createSummary(vitest) })
}

const createSummary = (vitest: Vitest) => (modules: readonly TestModule[]) => {
  const reports: CassetteReport[] = []
  for (const module of modules) {
    for (const test of module.children.allTests()) reports.push(...(test.meta().retake ?? []))
  }
  const summary = renderSummary(reports, (path) => relative(vitest.config.root, path))
  if (summary !== '') vitest.logger.log(`\n${summary}`)
}
