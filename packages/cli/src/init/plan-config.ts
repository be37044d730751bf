import { vitestConfigs } from '../find-runner.ts'
import { editConfig, linesByHand, newConfig } from './edit-config.ts'
import type { Project } from './project.ts'
import type { Step } from './step.ts'

/** The plugin in the Vitest config. */
export const planConfig = ({ read, typescript }: Project): Step => {
  const title = 'the plugin'
  const file = vitestConfigs.find((candidate) => read(candidate) !== undefined)
  if (file === undefined) {
    const created = typescript ? 'vitest.config.ts' : 'vitest.config.mjs'
    return { kind: 'change', title, file: created, before: undefined, after: newConfig }
  }
  const before = read(file) ?? ''
  const edit = editConfig(before)
  if (edit.kind === 'present') return { kind: 'done', title, file }
  if (edit.kind === 'by hand') return { kind: 'by hand', title, file, reason: edit.reason, lines: linesByHand }
  return { kind: 'change', title, file, before, after: edit.text }
}
