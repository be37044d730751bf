import { join, relative } from 'node:path'
import { parseDocument } from 'yaml'
import { appendLine } from './plan-git-files.ts'
import type { Project } from './project.ts'
import type { Step } from './step.ts'
import { findUp } from './workspace.ts'

/**
 * Vitest and Jest reject flags they do not know before any config is loaded. This takes `--update-cassettes` out of the arguments
 * of every Node that npm or pnpm starts, and leaves a variable. No package: it must hold before the first install too.
 */
const preload =
  "--import=data:text/javascript,(a=>(i=>i>1&&(process.env.RETAKE_FLAG=a[i].split('=')[1]||'update',a.splice(i,1)))(a.findIndex(x=>/^--update-cassettes(=|$)/.test(x))))(process.argv)"

/** In a package of modules Jest needs the modules of node:vm, and the line would replace what asks for them elsewhere. */
const optionsOf = ({ runner, manifest, read }: Project): string => {
  const isTransformed = manifest.babel !== undefined || babelConfigs.some((file) => read(file) !== undefined)
  const hasModules = runner === 'jest' && manifest.type === 'module' && !isTransformed
  return hasModules ? `--experimental-vm-modules ${preload}` : preload
}

const babelConfigs = ['js', 'cjs', 'mjs', 'json', 'ts', 'cts']
  .flatMap((end) => [`babel.config.${end}`, `.babelrc.${end}`])
  .concat('.babelrc')

const titleOf = ({ runner }: Project): string => `${runner} --update-cassettes`

/** What makes the flag work as it is written. Only npm and pnpm have a place for it. */
export const planFlag = (project: Project): Step[] => {
  if (project.packageManager === 'npm') return [planNpmrc(project)]
  return project.packageManager === 'pnpm' ? [planWorkspace(project)] : []
}

const planNpmrc = (project: Project): Step => {
  const { folder, root, read } = project
  const title = titleOf(project)
  // npm reads none in a member of a workspace.
  const file = join(relative(folder, root), '.npmrc')
  const before = read(file)
  const line = `node-options=${optionsOf(project)}`
  const lines = before?.split(/\r?\n/).map((other) => other.trim()) ?? []
  if (lines.includes(line)) return { kind: 'done', title, file }
  if (lines.some((other) => /^node[-_]options\s*=/.test(other))) {
    return refuse(project, file, 'node-options is set there already, and there can be one only')
  }
  return (
    refuseForEnvironment(project, file) ?? {
      kind: 'change',
      title,
      file,
      before,
      after: appendLine(before ?? '', line),
    }
  )
}

const planWorkspace = (project: Project): Step => {
  const { folder, read } = project
  const title = titleOf(project)
  const file = findUp(folder, 'pnpm-workspace.yaml') ?? 'pnpm-workspace.yaml'
  const before = read(file)
  const document = parseDocument(before ?? '')
  if (document.errors.length > 0) return refuse(project, file, 'it is no valid YAML')
  const present = document.get('nodeOptions')
  if (present === optionsOf(project)) return { kind: 'done', title, file }
  if (present !== undefined) return refuse(project, file, 'nodeOptions is set there already, and there can be one only')
  const refusal = refuseForEnvironment(project, file)
  if (refusal) return refusal
  // As a line of its own: the rest of the file stays as it is written.
  return {
    kind: 'change',
    title,
    file,
    before,
    after: appendLine(before ?? '', `nodeOptions: ${JSON.stringify(optionsOf(project))}`),
  }
}

/** npm and pnpm put theirs in the place of what the environment has. */
const refuseForEnvironment = (project: Project, file: string): Step | undefined => {
  const { NODE_OPTIONS } = project.env
  return NODE_OPTIONS && NODE_OPTIONS !== optionsOf(project)
    ? refuse(project, file, 'NODE_OPTIONS is set in your environment, and a line here would replace it')
    : undefined
}

const refuse = (project: Project, file: string, reason: string): Step => ({
  kind: 'by hand',
  title: titleOf(project),
  file,
  reason,
  lines: [`This always works: npx retake ${project.runner} --update-cassettes <file>`],
})
