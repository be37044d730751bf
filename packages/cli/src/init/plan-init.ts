import { planConfig } from './plan-config.ts'
import { planExample } from './plan-example.ts'
import { planFlag } from './plan-flag.ts'
import { planGitFiles } from './plan-git-files.ts'
import { planScripts } from './plan-scripts.ts'
import type { Project } from './project.ts'
import type { Step } from './step.ts'

/** Everything that sets a project up, in the order in which it is shown. Changes nothing. */
export const planInit = (project: Project): Step[] => [
  planConfig(project),
  ...planFlag(project),
  planScripts(project),
  ...planGitFiles(project),
  ...planExample(project),
]
