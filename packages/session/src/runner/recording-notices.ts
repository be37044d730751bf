import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import type { CassetteReport } from './cassette-report.ts'
import { type CassetteFolder, findCassettes } from './find-cassettes.ts'

/** What is to be said of what a run recorded. */
export interface RecordingNotices {
  /** Paths of the first cassettes of a project; empty for a project that had some. */
  first: string[]
  /** Of a cassette that git ignores: its path, and the rule as git names it, `.gitignore:3:__cassettes__`. */
  ignored?: { path: string; rule: string }
}

/** `places`: the folders below which cassettes are looked for. */
export const findNotices = (
  reports: readonly CassetteReport[],
  places: readonly CassetteFolder[],
): RecordingNotices => {
  const recorded = reports.filter(({ kind }) => kind === 'recorded').map(({ path }) => path)
  const [path] = recorded
  if (path === undefined) return { first: [] }
  const there = places.flatMap(findCassettes)
  const rule = places[0] && ruleOf(path, places[0].root)
  return {
    first: there.every((file) => recorded.includes(file)) ? recorded : [],
    ...(rule !== undefined && { ignored: { path, rule } }),
  }
}

/** Undefined where no rule keeps the file out, or one keeps the whole project out, and where there is no git. */
const ruleOf = (path: string, root: string): string | undefined => {
  try {
    const said = execFileSync('git', ['check-ignore', '--verbose', path, root], {
      cwd: dirname(path),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [first = '', ...more] = said.trim().split('\n')
    return more.length > 0 || first.endsWith(`\t${root}`) ? undefined : first.split('\t')[0]
  } catch {
    return undefined
  }
}
