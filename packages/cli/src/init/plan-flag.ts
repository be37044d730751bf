import { parseDocument } from 'yaml'
import { appendLine } from './plan-git-files.ts'
import { findUp, type Project } from './project.ts'
import type { Step } from './step.ts'

/**
 * Vitest rejects flags it does not know before any plugin is loaded. This takes `--update-cassettes` out of the arguments
 * of every Node that npm or pnpm starts, and leaves a variable. No package: it must hold before the first install too.
 */
const preload =
  "--import=data:text/javascript,(a=>(i=>i>1&&(process.env.RETAKE_FLAG=a[i].split('=')[1]||'update',a.splice(i,1)))(a.findIndex(x=>/^--update-cassettes(=|$)/.test(x))))(process.argv)"

const title = 'vitest --update-cassettes'
const always = ['This always works: npx retake vitest --update-cassettes <file>']

/** What makes the flag work as it is written. Only npm and pnpm have a place for it. */
export const planFlag = (project: Project): Step[] => {
  if (project.packageManager === 'npm') return [planNpmrc(project)]
  return project.packageManager === 'pnpm' ? [planWorkspace(project)] : []
}

const planNpmrc = ({ read, env }: Project): Step => {
  const file = '.npmrc'
  const before = read(file)
  const line = `node-options=${preload}`
  const lines = before?.split(/\r?\n/).map((other) => other.trim()) ?? []
  if (lines.includes(line)) return { kind: 'done', title, file }
  if (lines.some((other) => /^node[-_]options\s*=/.test(other))) {
    return refuse(file, 'node-options is set there already, and there can be one only')
  }
  return (
    refuseForEnvironment(file, env) ?? { kind: 'change', title, file, before, after: appendLine(before ?? '', line) }
  )
}

const planWorkspace = ({ folder, read, env }: Project): Step => {
  const file = findUp(folder, 'pnpm-workspace.yaml') ?? 'pnpm-workspace.yaml'
  const before = read(file)
  const document = parseDocument(before ?? '')
  if (document.errors.length > 0) return refuse(file, 'it is no valid YAML')
  const present = document.get('nodeOptions')
  if (present === preload) return { kind: 'done', title, file }
  if (present !== undefined) return refuse(file, 'nodeOptions is set there already, and there can be one only')
  const refusal = refuseForEnvironment(file, env)
  if (refusal) return refusal
  // As a line of its own: the rest of the file stays as it is written.
  return {
    kind: 'change',
    title,
    file,
    before,
    after: appendLine(before ?? '', `nodeOptions: ${JSON.stringify(preload)}`),
  }
}

/** npm and pnpm put theirs in the place of what the environment has. */
const refuseForEnvironment = (file: string, { NODE_OPTIONS }: Project['env']): Step | undefined =>
  NODE_OPTIONS && NODE_OPTIONS !== preload
    ? refuse(file, 'NODE_OPTIONS is set in your environment, and a line here would replace it')
    : undefined

const refuse = (file: string, reason: string): Step => ({ kind: 'by hand', title, file, reason, lines: always })
