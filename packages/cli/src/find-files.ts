import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { globSync, isDynamicPattern } from 'tinyglobby'
import { openForeign } from './foreign-file.ts'

const everyCassette = '**/*.cassette.json'
const ignore = ['**/node_modules/**']

/** Files that arguments name, each once, and the arguments that name none, with the reason. */
export interface FoundFiles {
  files: string[]
  missing: { argument: string; reason: string }[]
}

/** Each argument is a file, a folder (all cassettes below it) or a glob; no argument stands for the current folder. */
export const findFiles = (args: string[], cwd: string): FoundFiles => {
  const files = new Set<string>()
  const missing: FoundFiles['missing'] = []
  for (const argument of args.length > 0 ? args : ['.']) {
    const found = findArgument(argument, cwd)
    if (found.length === 0) missing.push({ argument, reason: reasonFor(argument, cwd) })
    for (const file of found) files.add(file)
  }
  return { files: [...files], missing }
}

const reasonFor = (argument: string, cwd: string): string =>
  statSync(resolve(cwd, argument), { throwIfNoEntry: false })?.isDirectory()
    ? 'there is no *.cassette.json below this folder'
    : 'there is no such file'

const findArgument = (argument: string, cwd: string): string[] => {
  // A file is taken by its name first: names may look like globs.
  const stats = statSync(resolve(cwd, argument), { throwIfNoEntry: false })
  if (stats?.isDirectory()) {
    // A folder can be the recording itself.
    if (openForeign(resolve(cwd, argument))) return [argument]
    const below = find(everyCassette, resolve(cwd, argument))
    return below.map((file) => (argument === '.' ? file : join(argument, file)))
  }
  if (stats) return [argument]
  return isDynamicPattern(argument) ? find(argument, cwd) : []
}

const find = (pattern: string, cwd: string): string[] => globSync(pattern, { cwd, ignore, dot: true }).sort()
