import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { ConfigError, cassetteHash, parseTakePath, readText } from '@retake/trace'
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

/**
 * The takes that arguments name: a take, the cassette it would replace, a folder.
 * @throws ConfigError for an argument that names none
 */
export const findNamedTakes = (args: readonly string[], cwd: string): Take[] => {
  const found = args.flatMap((argument) => {
    const takes = toTakes(listBehind(argument, cwd), cwd)
    if (takes.length === 0) throw new ConfigError(`no take waits at ${argument}`, { argument })
    return takes
  })
  return [...new Map(found.map((take) => [take.path, take])).values()]
}

const listBehind = (argument: string, cwd: string): string[] => {
  const isFolder = statSync(resolve(cwd, argument), { throwIfNoEntry: false })?.isDirectory() === true
  if (isFolder) {
    const below = globSync('**/*.take.json', { cwd: resolve(cwd, argument), ignore, dot: true })
    return below.map((path) => join(argument, path))
  }
  if (argument.endsWith('.take.json')) return existsSync(resolve(cwd, argument)) ? [argument] : []
  return listTakesOf(join(argument), cwd)
}

/** The takes beside a cassette. */
export const listTakesOf = (cassette: string, cwd = '.'): string[] => {
  const folder = resolve(cwd, dirname(cassette))
  const beside = globSync('*.take.json', { cwd: folder, dot: true }).map((path) => join(dirname(cassette), path))
  return beside.filter((path) => parseTakePath(path)?.cassette === cassette)
}

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

/** Takes whose cassette is gone: there is nothing that they could replace. */
export const findOrphans = (cwd: string): string[] =>
  findTakes(cwd).flatMap(({ path, cassette }) => (existsSync(resolve(cwd, cassette)) ? [] : [path]))

/** Cassettes, and the takes in their place. */
export const toTakeSides = (takes: readonly Take[], cwd: string): [base: Side, head: Side] => {
  const toSide = (label: string, of: readonly Take[], pathOf: (take: Take) => string): Side => {
    const paths = new Map(of.map((take) => [take.cassette.replaceAll(sep, '/'), pathOf(take)]))
    return {
      label,
      files: new Map([...paths.keys()].map((path) => [path, undefined])),
      open: (asked) => asked.map((path) => () => readText(resolve(cwd, paths.get(path) ?? path))),
    }
  }
  const withCassette = takes.filter(({ cassette }) => existsSync(resolve(cwd, cassette)))
  return [toSide('cassettes', withCassette, ({ cassette }) => cassette), toSide('takes', takes, ({ path }) => path)]
}
