import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type CassetteFile,
  type CassetteTest,
  cassetteHash,
  isRetakeError,
  loadCassette,
  parseTakePath,
  readText,
  saveCassette,
  takePath,
} from '@retake/trace'
import { listTakesOf } from '../changes/takes.ts'
import { type Command, exitCode, UsageError } from '../command.ts'
import type { Io } from '../io.ts'
import { readCassette } from '../read-cassette.ts'

export const mv: Command = {
  name: 'mv',
  args: '<from> <to>',
  summary: 'Move a cassette along with its test, which got another name or another file',
  flags: { force: 'Replace the cassette that is there, such as the one recorded under the new name' },
  details: [
    'A cassette finds its test by its path; the summary of a run prints the command. <to> may be a folder.',
    'What the file says of its test follows; version 2 says nothing of it. Takes that wait beside it move too.',
    'Exit code: 0 moved, 2 not: it cannot be read, or there is a file at <to>.',
  ].join('\n'),

  run({ args, flags }, io) {
    const [from, target, ...others] = args
    if (from === undefined || target === undefined || others.length > 0) {
      throw new UsageError(`mv takes two paths, not ${args.length}`)
    }
    const to = isFolder(resolve(io.cwd, target)) ? join(target, basename(from)) : target
    if (!to.endsWith('.cassette.json')) throw new UsageError(`a cassette is named ….cassette.json, not ${basename(to)}`)
    if (resolve(io.cwd, to) === resolve(io.cwd, from)) throw new UsageError('both paths name the same file')
    const cassette = readCassette(from, io)
    if (existsSync(resolve(io.cwd, to)) && !flags.has('force')) {
      throw new UsageError(`there is a cassette at ${to}; --force replaces it`)
    }
    move(cassette, from, to, io)
    io.print(`moved ${from} → ${to}`)
    return exitCode.yes
  },
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Nothing is removed before the other file is whole. */
const move = (cassette: CassetteFile, from: string, to: string, { cwd }: Io): void => {
  const [source, target] = [resolve(cwd, from), resolve(cwd, to)]
  const takes = listTakesOf(source)
  const base = cassetteHash(readText(source))
  const test = cassette.test && testAt(target, cassette.test)
  if (test?.file === cassette.test?.file && test?.name === cassette.test?.name) {
    mkdirSync(dirname(target), { recursive: true })
    renameSync(source, target)
  } else {
    saveCassette({ ...cassette, ...(test && { test }) }, target)
    rmSync(source)
  }
  for (const take of takes) moveTake(take, base, target, test)
  try {
    rmdirSync(dirname(source))
  } catch {
    // Other cassettes are in it.
  }
}

/** A take knows the text of its cassette, which may be another now; one of an older cassette stays stale. */
const moveTake = (take: string, base: string, target: string, test: CassetteTest | undefined): void => {
  const made = parseTakePath(take)?.base ?? base
  const place = takePath({ cassette: target, base: made === base ? cassetteHash(readText(target)) : made })
  try {
    const file = loadCassette(take)
    saveCassette({ ...file, ...(file.test && test && { test }) }, place)
    if (place !== take) rmSync(take)
  } catch (error) {
    if (!isRetakeError(error)) throw error
    // It is broken, and is told as that where it waits.
    renameSync(take, place)
  }
}

/** The test that looks for its cassette there: its file is the folder's name, its name only the cassette there knows. */
const testAt = (path: string, { name }: CassetteTest): CassetteTest => {
  const file = basename(dirname(path))
  try {
    return { file, name: loadCassette(path).test?.name ?? name }
  } catch {
    return { file, name }
  }
}
