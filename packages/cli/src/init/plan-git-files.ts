import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Project } from './project.ts'
import type { Step } from './step.ts'
import { foldersUp } from './workspace.ts'

const attributes = '*.cassette.json diff=retake merge=binary text eol=lf'
const ignored = '*.take.json'

/** How git treats cassettes: no merge inside of one, and takes that nobody has accepted stay out. */
export const planGitFiles = (project: Project): Step[] => [
  planLine(project, '.gitattributes', attributes, 'cassettes are merged whole'),
  planLine(project, '.gitignore', ignored, 'takes to review are not committed'),
]

/** A line for a pattern that has one already is the user's, also in a folder above that is of the same repository. */
const planLine = (project: Project, name: string, line: string, title: string): Step => {
  const { folder, root, read } = project
  const [pattern] = line.split(' ')
  const hasLine = (file: string): boolean =>
    read(file)
      ?.split(/\r?\n/)
      .some((other) => other.trim().split(/\s+/)[0] === pattern) === true
  const there = foldersOfRepository(project).map((at) => join(relative(folder, at), name))
  const done = there.find(hasLine)
  if (done !== undefined) return { kind: 'done', title, file: done }
  const file = read(name) === undefined ? join(relative(folder, root), name) : name
  const before = read(file)
  return { kind: 'change', title, file, before, after: appendLine(before ?? '', line) }
}

/** The folder and those above it in which git looks for its files; outside of a repository, up to the workspace. */
const foldersOfRepository = ({ folder, root }: Project): string[] => {
  const folders = foldersUp(folder)
  const top = folders.findIndex((at) => existsSync(join(at, '.git')))
  return folders.slice(0, 1 + (top < 0 ? folders.indexOf(root) : top))
}

/** In the line ends of the text. */
export const appendLine = (text: string, line: string): string => {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  return `${text}${text === '' || text.endsWith('\n') ? '' : newline}${line}${newline}`
}
