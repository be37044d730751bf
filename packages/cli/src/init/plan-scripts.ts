import { isJsonObject, type JsonValue } from '@retake/trace'
import type { Project } from './project.ts'
import type { Step } from './step.ts'

const file = 'package.json'

/** What `npm init` writes where there are no tests. */
const placeholder = /^echo "Error: no test specified" && exit 1$/

/** A script that runs the tests; with yarn and bun, which have no place for the flag, one through which it works. */
export const planScripts = (project: Project): Step => {
  const viaRetake = project.packageManager === 'yarn' || project.packageManager === 'bun'
  const scripts = project.manifest.scripts ?? {}
  const title = viaRetake ? 'scripts that know --update-cassettes' : 'a script for the tests'
  if (!isJsonObject(scripts)) return { kind: 'by hand', title, file, reason: 'its scripts are no object', lines: [] }
  const test = typeof scripts.test === 'string' && !placeholder.test(scripts.test) ? scripts.test : undefined
  const { runner } = project
  const command = viaRetake ? `retake ${runner}` : runner
  const added: Record<string, JsonValue> = {
    ...(test === undefined && { test: command }),
    // A script comes before a bin of its name: `yarn vitest` is this one.
    ...(viaRetake && scripts[runner] === undefined && { [runner]: command }),
    ...(viaRetake && test?.startsWith(runner) && { test: `retake ${test}` }),
  }
  if (Object.keys(added).length === 0) return { kind: 'done', title, file }
  const before = project.read(file) ?? ''
  return { kind: 'change', title, file, before, after: withScripts(before, project, { ...scripts, ...added }) }
}

/** In the indent and with the end that the file has. */
const withScripts = (before: string, { manifest }: Project, scripts: JsonValue): string => {
  const indent = /^\s*\{\r?\n([ \t]+)/.exec(before)?.[1] ?? '  '
  const text = JSON.stringify({ ...manifest, scripts }, null, indent)
  const end = before.endsWith('\n') ? '\n' : ''
  return before.includes('\r\n') ? `${text}${end}`.replaceAll('\n', '\r\n') : text + end
}
