import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { likenessOfTexts } from '@retake/compare'
import type { OpenCassette } from './cassette.ts'
import { cassetteExtension } from './cassette-path.ts'
import { CassetteMissingError } from './errors.ts'
import { quoteArgument } from './quote-argument.ts'

/** The error for a test whose cassette is not there and may not be recorded. */
export const missingCassette = (options: OpenCassette): CassetteMissingError => {
  const { path, ci, test, fork } = options
  const closest = findClosest(options)
  return new CassetteMissingError(
    [
      `no cassette for "${test.name}", and recording is off ${ci ? 'because this is CI' : 'in replay mode'}`,
      `  expected  ${relative(process.cwd(), path)}`,
      ...(closest ? [`  closest   ${relative(process.cwd(), closest)}`] : []),
      '',
      `  Record it on your machine and commit the file${commandOf(options)}`,
      ...(fork ? ["  A fork with `then: 'live'` asks the provider; one with a list of replies needs nobody."] : []),
      ...(closest
        ? [`  Did the test get another name?  npx retake mv ${toArgument(closest)} ${toArgument(path)}`]
        : []),
    ].join('\n'),
    { path, test: test.name, reason: ci ? 'ci' : 'mode', ...(closest && { closest }) },
  )
}

/** Without the flag: what is there already stays. */
const commandOf = ({ again, test: { file } }: OpenCassette): string => {
  if (!file) return '.'
  return `:  ${again?.replace(/ --update-cassettes$/, '') ?? `npx vitest run ${toArgument(file)}`}`
}

const toArgument = (path: string): string => quoteArgument(relative(process.cwd(), path))

// Below it the names have little more in common than their ending.
const leastLikeness = 0.4

/** A cassette that was this one's before its test, or the file of it, got another name. */
const findClosest = (options: OpenCassette): string | undefined => {
  const own = basename(options.path)
  const best = [...unusedBeside(options), ...ofGoneFiles(options)]
    .map((path) => ({ path, likeness: likenessOfTexts(stem(path), stem(own)) }))
    .toSorted((one, other) => other.likeness - one.likeness)[0]
  return best && best.likeness >= leastLikeness ? best.path : undefined
}

const stem = (path: string): string => basename(path).slice(0, -cassetteExtension.length)

/** Only where the tests of the file are known: another test's cassette is no candidate. */
const unusedBeside = ({ path, others }: OpenCassette): string[] => {
  const used = new Set(others?.())
  return others ? listFolder(dirname(path)).filter((file) => isCassette(file) && !used.has(file)) : []
}

const ofGoneFiles = ({ path, test: { file } }: OpenCassette): string[] =>
  file
    ? listFolder(dirname(dirname(path)))
        .filter((folder) => !existsSync(join(dirname(file), basename(folder))))
        .map((folder) => join(folder, basename(path)))
        .filter((candidate) => candidate !== path && existsSync(candidate))
    : []

const isCassette = (path: string): boolean => path.endsWith(cassetteExtension)

const listFolder = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
