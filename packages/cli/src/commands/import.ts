import { statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { escapeInvisible } from '@retake/compare'
import type { Loss, ReadRun } from '@retake/formats'
import { type CassetteFormat, isRetakeError, type RetakeError, terminalOutcome, toolPathOf } from '@retake/trace'
import { globSync } from 'tinyglobby'
import { type Command, exitCode, type Input, UsageError } from '../command.ts'
import { formatLosses } from '../format-losses.ts'
import { type ImportJob, type ImportName, importers, importFile } from '../import/import-file.ts'
import type { Io } from '../io.ts'

const names = Object.keys(importers).join('|')

/** Import is a word of the language. */
export const importCommand: Command = {
  name: 'import',
  args: '',
  summary: 'Make a cassette of a recording or a transcript of another tool',
  options: {
    from: [names, 'What the file is'],
    in: ['file', 'The file to read; with vcr also a folder, of which every YAML and JSON file is read'],
    out: ['file', 'The cassette to write; for a folder, the folder to write to'],
    id: ['id', 'The id of the run. Default: the name of the file'],
    to: ['v2|v3', 'The format to write. Default: v3, and v2 for chat-json'],
  },
  flags: { force: 'Replace a file that is there' },
  details: [
    'claude-code is a session log of Claude Code (JSONL), chat-json a chat transcript with timestamps, vcr a',
    'recording of VCR or vcrpy (YAML or JSON). Headers are never stored. What has no place in a cassette is listed.',
    'A run with a credential in it is not written. Exit code: 0 written, 1 something cannot be imported, 2 it could',
    'not be read. Nothing is written of a file that cannot be imported as a whole.',
  ].join('\n'),

  async run({ args, options, flags }, io) {
    if (args.length > 0) throw new UsageError('import takes --in and --out, and no other file')
    const from = toImporter(options.get('from'))
    const source = required(options, 'in')
    const target = required(options, 'out')
    const shared = { from, id: options.get('id'), format: toFormat(options.get('to')), force: flags.has('force') }
    const path = resolve(io.cwd, source)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      if (from !== 'vcr') throw new UsageError(`${source} is a folder; only --from vcr takes one`)
      if (shared.id !== undefined)
        throw new UsageError('--id is for one file; for a folder each run has the name of its file')
      return await importFolder(path, { ...shared, target: resolve(io.cwd, target) }, io)
    }
    const job = { ...shared, source: path, target: resolve(io.cwd, target) }
    if (job.source === job.target) throw new UsageError('--in and --out name the same file')
    return await importOne(job, source, target, io)
  },
}

const toImporter = (name: string | undefined): ImportName => {
  if (name === undefined) throw new UsageError(`import needs --from ${names}`)
  if (Object.hasOwn(importers, name)) return name as ImportName
  throw new UsageError(`--from takes ${names}, not "${name}"`)
}

const required = (options: Input['options'], name: string): string => {
  const value = options.get(name)
  if (!value) throw new UsageError(`import needs --${name} with the name of a file`)
  return value
}

const toFormat = (to: string | undefined): CassetteFormat | undefined => {
  if (to === undefined || to === 'v2' || to === 'v3') return to
  throw new UsageError(`--to takes v2 or v3, not "${to}"`)
}

const importOne = async (job: ImportJob, source: string, target: string, io: Io): Promise<number> => {
  try {
    const run = await importFile(job)
    warnLosses(run.lost, source, io)
    for (const row of rowsOf(run, source, target)) io.print(row)
    return exitCode.yes
  } catch (error) {
    if (!isRetakeError(error)) throw error
    io.warn(`retake import: ${safe(error.message)}\n  Nothing was written.`)
    return codeOf(error)
  }
}

const rowsOf = ({ trace }: ReadRun, source: string, target: string): string[] => {
  const tools = toolPathOf(trace)
  return [
    `From    ${source}`,
    `Out     ${target}`,
    `Steps   ${trace.steps.length}`,
    `Status  ${terminalOutcome(trace).status}`,
    `Tools   ${tools.length > 0 ? tools.map(escapeInvisible).join(', ') : 'none'}`,
  ]
}

/** What can be read and may not become a cassette is a no; everything else could not be judged. */
const codeOf = ({ code }: RetakeError): number =>
  code === 'RETAKE_UNSUPPORTED' || code === 'RETAKE_SECRET_FOUND' ? exitCode.no : exitCode.unknown

const safe = (message: string): string => message.split('\n').map(escapeInvisible).join('\n')

const mostShown = 10

const warnLosses = (lost: readonly Loss[], source: string, io: Io): void => {
  if (lost.length === 0) return
  io.warn(`retake import: ${source}: left out`)
  const lines = formatLosses(lost)
  for (const line of lines.slice(0, mostShown)) io.warn(`  ${safe(line)}`)
  if (lines.length > mostShown) io.warn(`  and ${lines.length - mostShown} more`)
}

/** Every file for itself: one that cannot be imported does not keep the others from being written. */
const importFolder = async (folder: string, given: Omit<ImportJob, 'source'>, io: Io): Promise<number> => {
  const files = globSync('**/*', { cwd: folder, dot: true, ignore: ['**/node_modules/**'] })
  const sources = files.filter((name) => importers[given.from].extensions.test(name)).sort()
  const taken = new Map<string, string>()
  let failed = 0
  for (const name of sources) {
    const out = name.replace(importers[given.from].extensions, '.cassette.json')
    const target = join(given.target, out)
    const shown = relative(io.cwd, target)
    const same = taken.get(target)
    taken.set(target, name)
    const problem =
      same === undefined
        ? await tryImport({ ...given, source: join(folder, name), target }, name, io)
        : `${same} has the same name`
    if (problem === undefined) io.print(`wrote ${shown}`)
    else {
      failed++
      io.warn(`retake import: ${name}: ${safe(problem)}`)
    }
  }
  io.print(`${sources.length - failed} of ${sources.length} file(s) imported`)
  return sources.length === 0 ? exitCode.unknown : failed > 0 ? exitCode.no : exitCode.yes
}

const tryImport = async (job: ImportJob, name: string, io: Io): Promise<string | undefined> => {
  try {
    const { lost } = await importFile(job)
    warnLosses(lost, name, io)
    return undefined
  } catch (error) {
    if (!isRetakeError(error)) throw error
    return error.message
  }
}
