import { planConfig } from './plan-config.ts'
import { planExample } from './plan-example.ts'
import { planFlag } from './plan-flag.ts'
import { planGitFiles } from './plan-git-files.ts'
import { planJestConfig } from './plan-jest-config.ts'
import { planScripts } from './plan-scripts.ts'
import { type Project, withFile } from './project.ts'
import type { Step } from './step.ts'

/** Everything that sets a project up, in the order in which it is shown. Changes nothing. */
export const planInit = (project: Project): Step[] => {
  const config = project.runner === 'jest' ? planJestConfig(project) : planConfig(project)
  const [first, ...scripts] = withScripts(project, config)
  return [first, ...planFlag(project), ...scripts, ...planGitFiles(project), ...planExample(project)]
}

/** The config and the scripts: one step where both are in package.json. */
const withScripts = (project: Project, config: Step): [Step, ...Step[]] => {
  if (config.kind !== 'change' || config.file !== 'package.json') return [config, planScripts(project)]
  const scripts = planScripts(withFile(project, config.after))
  if (scripts.kind !== 'change') return [config, scripts]
  return [{ ...config, title: `${config.title}, and ${scripts.title}`, after: scripts.after }]
}
