import { existsSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { cassetteHash, parseTakePath, readText } from '@retake/trace'
import { globSync } from 'tinyglobby'
import type { Side } from './side.ts'

/** A recording that waits, and the cassette it would replace; paths from the current folder. */
export interface Take {
  path: string
  cassette: string
  /** Why it cannot be accepted: the cassette is not the one it was made from. */
  stale?: string
}

const ignore = ['**/node_modules/**']

/** The takes below the current folder. */
export const findTakes = (cwd: string): Take[] => toTakes(globSync('**/*.take.json', { cwd, ignore, dot: true }), cwd)

const toTakes = (paths: readonly string[], cwd: string): Take[] =>
  [...paths].sort().flatMap((path) => {
    const place = parseTakePath(path)
    if (!place) return []
    const stale = staleness(resolve(cwd, place.cassette), place.base)
    return [{ path, cassette: place.cassette, ...(stale !== undefined && { stale }) }]
  })

const staleness = (cassette: string, base: string): string | undefined => {
  if (!existsSync(cassette)) return 'its cassette is gone'
  return cassetteHash(readText(cassette)) === base ? undefined : 'it was made from an older cassette'
}

/** Cassettes, and the takes in their place. */
export const toTakeSides = (takes: readonly Take[], cwd: string): [base: Side, head: Side] => {
  const toSide = (label: string, pathOf: (take: Take) => string): Side => {
    const paths = new Map(takes.map((take) => [take.cassette.replaceAll(sep, '/'), pathOf(take)]))
    return {
      label,
      files: new Map([...paths.keys()].map((path) => [path, undefined])),
      open: (asked) => asked.map((path) => () => readText(resolve(cwd, paths.get(path) ?? path))),
    }
  }
  return [toSide('cassettes', ({ cassette }) => cassette), toSide('takes', ({ path }) => path)]
}
