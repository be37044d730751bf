import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { escapeInvisible } from '@retake/compare'
import { wrapText } from '@retake/report'
import {
  type CassetteFile,
  ConfigError,
  loadCassette,
  terminalOutcome,
  toolPathOf,
  type VerifyReport,
  verifyFile,
} from '@retake/trace'
import { type Command, exitCode, UsageError } from '../command.ts'
import { findFiles } from '../find-files.ts'
import { formatDocument } from '../format-document.ts'
import { formatSize } from '../format-size.ts'
import type { Io } from '../io.ts'

export const list: Command = {
  name: 'list',
  args: '[file, folder or glob…]',
  summary: 'List cassettes: how each ended, its size, and whether it verifies',
  flags: { json: 'Print one JSON array, an entry a file' },
  details: [
    'Without arguments every *.cassette.json below the current folder is listed.',
    'Exit code: 0 all verify, 1 one does not, 2 one could not be read.',
  ].join('\n'),

  run({ args, flags }, io) {
    const { files, missing } = findFiles(args, io.cwd)
    if (args.length === 0 && files.length === 0) throw new UsageError('there is no *.cassette.json below this folder')
    const entries = [
      ...files.map((file) => toEntry(file, io)),
      ...missing.map(({ argument, reason }) => toUnreadable(argument, reason)),
    ]
    if (flags.has('json')) io.print(formatDocument(entries))
    else io.print(renderEntries(entries, io))
    if (entries.some(({ state }) => state === 'unreadable')) return exitCode.unknown
    return entries.every(({ pass }) => pass) ? exitCode.yes : exitCode.no
  },
}

interface Entry {
  file: string
  version: number | null
  pass: boolean
  /** The file could not be judged. */
  state?: 'unreadable'
  /** Why it does not pass. */
  problem?: string
  bytes?: number
  id?: string
  createdAt?: number
  parentId?: string
  test?: CassetteFile['test']
  status?: string
  steps?: number
  requests?: number
  tools?: string[]
}

const toUnreadable = (file: string, problem: string): Entry => ({
  file,
  version: null,
  pass: false,
  state: 'unreadable',
  problem,
})

const toEntry = (file: string, { cwd }: Io): Entry => {
  const path = resolve(cwd, file)
  try {
    const report = verifyFile(path)
    const { version, pass } = report
    const entry = { file, version, pass, bytes: statSync(path).size }
    return pass ? { ...entry, ...describe(loadCassette(path)) } : { ...entry, problem: problemOf(report) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [problem = ''] = error.message.split('\n')
    return toUnreadable(file, problem)
  }
}

const problemOf = ({ checks }: VerifyReport): string => {
  const failed = checks.find(({ status }) => status === 'fail')
  return [failed?.name, failed?.where, failed?.detail].filter((part) => part !== undefined).join(': ')
}

const describe = ({ trace, test }: CassetteFile): Partial<Entry> => ({
  id: trace.id,
  createdAt: trace.createdAt,
  ...(trace.parentId !== undefined && { parentId: trace.parentId }),
  ...(test && { test }),
  status: terminalOutcome(trace).status,
  steps: trace.steps.length,
  requests: trace.steps.filter(({ type }) => type === 'model_input').length,
  tools: toolPathOf(trace),
})

/** As wide as the plural, so that the columns stand. */
const countOf = (number: number | undefined, noun: string): string =>
  number === undefined ? '' : `${number} ${noun}${number === 1 ? ' ' : 's'}`

/** The name of the file comes last, so that it is never cut. */
const renderEntries = (entries: Entry[], { style, width }: Io): string => {
  const rows = entries.map(({ status, version, steps, requests, bytes }) => [
    status ?? 'invalid',
    version === null ? '' : `v${version}`,
    countOf(steps, 'step'),
    countOf(requests, 'request'),
    bytes === undefined ? '' : formatSize(bytes),
  ])
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = entries.flatMap(({ file, pass, problem }, nth) => {
    const cells = rows[nth]?.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    const name = escapeInvisible(file)
    const line = `${pass ? style.good('✓') : style.bad('✗')} ${style.dim(cells?.join('  ') ?? '')}  ${name}`
    if (problem === undefined) return [line]
    return [line, ...wrapText(escapeInvisible(problem), width - 2).map((text) => `  ${style.bad(text)}`)]
  })
  const passed = entries.filter(({ pass }) => pass).length
  return [...lines, '', `${passed} of ${entries.length} cassettes verify`].join('\n')
}
