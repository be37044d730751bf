import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { escapeInvisible } from '@retake/compare'
import { ConfigError, isRetakeError, parseCassette, readText, scanSecrets, verifyFile } from '@retake/trace'
import { firstFault } from '../changes/compare-sides.ts'
import { type Command, exitCode, UsageError } from '../command.ts'
import { findFiles } from '../find-files.ts'
import { formatDocument } from '../format-document.ts'
import type { Io } from '../io.ts'
import { runChild } from '../launch/run-child.ts'
import { readRuns } from '../read-runs.ts'

export const ci: Command = {
  name: 'ci',
  args: '-- <test command>',
  summary: 'Run the tests offline, then check every cassette; one exit code',
  flags: { json: 'Print one JSON document; the tests print to standard error' },
  details: [
    'The tests replay, whatever the environment says but for RETAKE. Then every cassette below this folder is verified',
    'and searched for keys, and the run tells which cassettes no test uses.',
    'Exit code: that of the tests if it is not 0, else 1 where a check fails, else 0.',
  ].join('\n'),

  async run({ args, flags }, io) {
    const [program] = args
    if (program === undefined) throw new UsageError('ci needs a command: retake ci -- npx vitest run')
    const folder = mkdtempSync(join(tmpdir(), 'retake-ci-'))
    try {
      const env = { ...process.env, RETAKE: process.env.RETAKE || 'replay', RETAKE_RUN: folder }
      const code = await runChild({ command: args, cwd: io.cwd, env, output: flags.has('json') ? 2 : 1 })
      const checks = [testsCheck(code, program), ...(await checkFiles(io)), ...checkRuns(folder, code, io)]
      if (flags.has('json')) io.print(formatDocument({ pass: checks.every(isFine), exitCode: code, checks }))
      else printChecks(checks, io)
      return code !== 0 ? code : checks.every(isFine) ? exitCode.yes : exitCode.no
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

interface Check {
  name: 'tests' | 'verify' | 'secrets' | 'obsolete' | 'unused'
  status: 'pass' | 'fail' | 'skip'
  detail: string
  /** What it found, a line each. */
  found: string[]
}

const isFine = ({ status }: Check): boolean => status !== 'fail'

const testsCheck = (code: number, program: string): Check => ({
  name: 'tests',
  status: code === 0 ? 'pass' : 'fail',
  detail: code === 0 ? 'passed' : `${program} ended with ${code}`,
  found: [],
})

const checkFiles = async ({ cwd }: Io): Promise<Check[]> => {
  const { files } = findFiles(['.'], cwd)
  const faults: string[] = []
  const secrets: string[] = []
  let unread = 0
  for (const file of files) {
    const path = resolve(cwd, file)
    const fault = faultOf(path)
    if (fault !== undefined) faults.push(`${file}  ${fault}`)
    const places = await findSecretsIn(path)
    if (places) secrets.push(...places.map((place) => `${file}  ${place}`))
    else unread++
  }
  const total = count(files.length, 'cassette')
  return [
    files.length === 0
      ? toSkipped('verify', 'there is no cassette below this folder')
      : toCheck(
          'verify',
          faults,
          `${total} ${files.length === 1 ? 'verifies' : 'verify'}`,
          `${faults.length} of ${total} do not verify`,
        ),
    toCheck(
      'secrets',
      secrets,
      unread === 0 ? 'no key found' : `no key found, but ${count(unread, 'file')} cannot be searched`,
      `${count(secrets.length, 'place')} with what looks like a key`,
    ),
  ]
}

const faultOf = (path: string): string | undefined => {
  try {
    return firstFault(verifyFile(path))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n')[0]
  }
}

/** Undefined for a file that has no text. One that is broken is searched line by line: it would be committed all the same. */
const findSecretsIn = async (path: string): Promise<string[] | undefined> => {
  const text = orUndefined(() => readText(path))
  if (text === undefined) return undefined
  const cassette = orUndefined(() => parseCassette(text, { path }))
  if (cassette) {
    const { trace, test, extras } = cassette
    return (await scanSecrets({ ...trace, test, extras })).map(({ where, kind }) => `${where}: ${kind}`)
  }
  const places = await scanSecrets({ line: text.split('\n') })
  return places.map(({ where, kind }) => `line ${Number(/\d+/.exec(where)?.[0]) + 1}: ${kind}`)
}

const orUndefined = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (!isRetakeError(error)) throw error
    return undefined
  }
}

const checkRuns = (folder: string, code: number, { cwd }: Io): Check[] => {
  const runs = readRuns(folder)
  if (runs.length === 0) {
    const detail = 'not known: no runner with cassettes told of its run'
    return [toSkipped('obsolete', detail), toSkipped('unused', detail)]
  }
  const short = (path: string): string => relative(cwd, path)
  const obsolete = runs.flatMap((run) => run.obsolete.map(({ path, reason }) => `${short(path)}  (${reason})`))
  const unused = runs.flatMap(({ cassettes }) =>
    cassettes.flatMap(({ path, unused: left }) => (left > 0 ? [`${short(path)}  ${count(left, 'request')}`] : [])),
  )
  return [
    toCheck(
      'obsolete',
      obsolete,
      code === 0 ? 'every cassette is used' : 'none is known; a test that failed keeps its own',
      `${count(obsolete.length, 'cassette')} no test uses`,
    ),
    // A test that may leave requests over says so by its option; others have failed for it.
    {
      name: 'unused',
      status: 'pass',
      detail: unused.length === 0 ? 'every recorded request was made' : 'requests left over, as allowed',
      found: unused,
    },
  ]
}

const toCheck = (name: Check['name'], found: string[], good: string, bad: string): Check => ({
  name,
  status: found.length === 0 ? 'pass' : 'fail',
  detail: found.length === 0 ? good : bad,
  found,
})

const toSkipped = (name: Check['name'], detail: string): Check => ({ name, status: 'skip', detail, found: [] })

const mostFound = 20
const marks = { pass: '✓', fail: '✗', skip: '–' } as const

const printChecks = (checks: readonly Check[], { print, style }: Io): void => {
  print('')
  for (const { name, status, detail, found } of checks) {
    const paint = { pass: style.good, fail: style.bad, skip: style.dim }[status]
    print(`${paint(marks[status])} ${name.padEnd(8)}  ${escapeInvisible(detail)}`)
    for (const line of found.slice(0, mostFound)) print(`  ${' '.repeat(8)}${style.dim('↳')} ${escapeInvisible(line)}`)
    if (found.length > mostFound) print(`  ${' '.repeat(8)}${style.dim(`… ${found.length - mostFound} more`)}`)
  }
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
