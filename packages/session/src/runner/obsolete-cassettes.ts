import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type CassetteTest, loadCassette } from '@retake/trace'
import { cassettePath } from '../cassette-path.ts'
import { type CassetteFolder, findCassettes, listCassettes } from './find-cassettes.ts'
import type { RanFile } from './ran-files.ts'

/** A cassette that no test uses any more. */
export interface ObsoleteCassette {
  /** Absolute path. */
  path: string
  reason: string
}

/**
 * The obsolete cassettes of a test file that ran, also where only some of its tests did. A cassette with the name of its
 * test belongs to it: it is obsolete if that test is gone, or passed without it. Any other may belong to every test of
 * the file, so that all of them must have passed. What cannot be read, or is of no test, is left alone.
 */
export const findObsolete = (file: RanFile): ObsoleteCassette[] =>
  listCassettes(file)
    .filter((path) => !file.used.has(path))
    .flatMap((path) => {
      const owner = readOwner(path)
      const candidates = owner && isNamedAfter(owner, path, file) ? ownersOf(path, file) : file.tests
      if (owner === undefined || !candidates.every(({ passed }) => passed)) return []
      return [{ path, reason: candidates.length === 0 ? 'its test is gone' : 'no test uses it' }]
    })

/** The cassettes of a project whose test files are gone. */
export const findOrphans = ({ root, dir }: CassetteFolder): ObsoleteCassette[] => {
  const folders = Map.groupBy(findCassettes({ root, dir }), dirname)
  return [...folders].flatMap(([folder, paths]) => {
    const testFile = basename(folder)
    const home = folder.slice(0, -join(dir, testFile).length)
    if (existsSync(join(home, testFile))) return []
    const own = paths.filter((path) => isOf(testFile, readOwner(path)))
    return own.map((path) => ({ path, reason: `${testFile} is gone` }))
  })
}

const isOf = (testFile: string, owner: Partial<CassetteTest> | undefined): boolean =>
  owner !== undefined && (owner.file === undefined ? /\.(test|spec)\.\w+$/.test(testFile) : owner.file === testFile)

/**
 * The test that a cassette says it belongs to; without names for version 2, which does not say. Undefined for what is
 * broken, and for a recording that was made outside of tests.
 */
const readOwner = (path: string): Partial<CassetteTest> | undefined => {
  try {
    const { format, test } = loadCassette(path)
    if (format === 'v2') return {}
    return test?.file ? test : undefined
  } catch {
    return undefined
  }
}

/** Has this cassette the name that its test gives it? */
const isNamedAfter = ({ name }: Partial<CassetteTest>, path: string, { path: testFile, dir }: RanFile): boolean => {
  if (name === undefined) return false
  const duplicate = Number(/\.(\d+)\.cassette\.json$/.exec(path)?.[1] ?? 1)
  return cassettePath({ testFile, dir, parts: name.split(' > '), duplicate }).path === path
}

const ownersOf = (path: string, { tests }: RanFile) => tests.filter(({ cassette }) => cassette === path)
