import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { equalRequests, likenessOfTexts } from '@retake/compare'
import { loadTrace, type ModelInput } from '@retake/trace'
import type { CassetteReport } from './cassette-report.ts'

/** A cassette whose test got another name: `from` is obsolete, `to` is where its test looks for it. */
export interface RenamedCassette {
  from: string
  to: string
  /** The test was recorded again under its new name. */
  exists: boolean
}

/**
 * Obsolete cassettes that look like those of renamed tests: of one that was recorded now with the same first request, or
 * of one that misses its cassette, where names decide which it may be.
 */
export const findRenamed = (obsolete: readonly string[], reports: readonly CassetteReport[]): RenamedCassette[] => {
  const requestOf = createRequestReader()
  const recorded = reports.filter(({ kind }) => kind === 'recorded').map(({ path }) => path)
  const again = pair(obsolete, recorded, (from, to) => (isSame(requestOf(from), requestOf(to)) ? 1 : 0))
  const left = obsolete.filter((path) => !again.some(({ from }) => from === path))
  // Of nothing but a name: every cassette near it may be the one.
  const lost = pair(left, findMissing(reports), (from, to) => 1 + likenessOfTexts(basename(from), basename(to)))
  return [...again.map((move) => ({ ...move, exists: true })), ...lost.map((move) => ({ ...move, exists: false }))]
}

/** Where tests looked for a cassette that is not there. */
export const findMissing = (reports: readonly CassetteReport[]): string[] =>
  reports.filter(({ kind, path }) => kind === 'failed' && !existsSync(path)).map(({ path }) => path)

type Move = Omit<RenamedCassette, 'exists'>

/** Each at most once, the most alike first; a test moves within its file, or with its name to another. */
const pair = (
  froms: readonly string[],
  tos: readonly string[],
  likeness: (from: string, to: string) => number,
): Move[] => {
  const moves = froms
    .flatMap((from) => tos.filter((to) => isNear(from, to)).map((to) => ({ from, to, score: likeness(from, to) })))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
  const used = new Set<string>()
  return moves.flatMap(({ from, to }) => {
    if (used.has(from) || used.has(to)) return []
    used.add(from).add(to)
    return [{ from, to }]
  })
}

const isNear = (from: string, to: string): boolean => dirname(to) === dirname(from) || basename(to) === basename(from)

const createRequestReader = () => {
  const requests = new Map<string, ModelInput | undefined>()
  return (path: string): ModelInput | undefined => {
    if (!requests.has(path)) requests.set(path, firstRequest(path))
    return requests.get(path)
  }
}

const isSame = (one: ModelInput | undefined, other: ModelInput | undefined): boolean =>
  one !== undefined && other !== undefined && equalRequests(one, other)

const firstRequest = (path: string): ModelInput | undefined => {
  try {
    const step = loadTrace(path).steps.find(({ type }) => type === 'model_input')
    return step?.payload as ModelInput | undefined
  } catch {
    return undefined
  }
}
