import type { Project } from './project.ts'
import type { Step } from './step.ts'

const attributes = '*.cassette.json diff=retake merge=binary text eol=lf'
const ignored = '*.take.json'

/** How git treats cassettes: no merge inside of one, and takes that nobody has accepted stay out. */
export const planGitFiles = (project: Project): Step[] => [
  planLine(project, '.gitattributes', attributes, 'cassettes are merged whole'),
  planLine(project, '.gitignore', ignored, 'takes to review are not committed'),
]

/** A line for a pattern that has one already is the user's. */
const planLine = ({ read }: Project, file: string, line: string, title: string): Step => {
  const before = read(file)
  const [pattern] = line.split(' ')
  const isThere = before?.split(/\r?\n/).some((other) => other.trim().split(/\s+/)[0] === pattern)
  return isThere
    ? { kind: 'done', title, file }
    : { kind: 'change', title, file, before, after: appendLine(before ?? '', line) }
}

/** In the line ends of the text. */
export const appendLine = (text: string, line: string): string => {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  return `${text}${text === '' || text.endsWith('\n') ? '' : newline}${line}${newline}`
}
