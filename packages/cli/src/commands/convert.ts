import { resolve } from 'node:path'
import {
  CassetteConflictError,
  type CassetteFile,
  type CassetteFormat,
  formatCassette,
  loadCassette,
  parseUnsealed,
  readText,
  refuseAllSecrets,
  SecretFoundError,
  saveCassette,
  type Trace,
  UnsupportedError,
  type VerifyCheck,
} from '@retake/trace'
import { type Command, exitCode, type Input, UsageError } from '../command.ts'
import { convertRun, targetNames } from '../convert/convert-run.ts'
import { openForeign } from '../foreign-file.ts'
import { formatSize } from '../format-size.ts'
import type { Io } from '../io.ts'
import { oneFile } from '../one-file.ts'
import { verifyReadable } from '../read-cassette.ts'

export const convert: Command = {
  name: 'convert',
  args: '<file>',
  summary: 'Write a cassette in another format, or seal a merged one again',
  options: {
    from: ['format', 'What the file must be; else it is told by what it holds'],
    to: ['format', 'The format to write: v2, v3, backspin, stepfork, agentskit'],
    out: ['file', 'Write there instead of to standard output; may be the file itself'],
  },
  flags: {
    strict: 'Write nothing if the format cannot carry everything',
    reseal: 'Check the steps of a version 3 file and write its seal anew, in place',
  },
  details: [
    'The hash chain, the seal or the digests are verified first. What the format has no place for is told',
    'before anything is written: in version 2 that is the name of the test, and extras (token counts, times',
    'of streamed pieces).',
    'Exit code: 0 written, 1 the cassette does not verify or does not fit the format, 2 it could not be read.',
  ].join('\n'),

  async run(input, io) {
    const file = oneFile('convert', input.args)
    try {
      return await (input.flags.has('reseal') ? reseal(file, input, io) : write(file, input, io))
    } catch (error) {
      if (!(error instanceof UnsupportedError) && !(error instanceof SecretFoundError)) throw error
      io.warn(`retake convert: ${file}: ${error.message}`)
      return exitCode.no
    }
  },
}

const write = async (file: string, input: Input, io: Io): Promise<number> => {
  const { options, flags } = input
  if (isBetweenTools(file, input, io)) return convertRun(file, input, io)
  const format = toFormat(options.get('to'))
  const out = options.get('out')
  if (out === '') throw new UsageError('--out needs the name of a file')
  const path = resolve(io.cwd, file)
  const broken = findBroken(path)
  if (broken) return refuse(broken, file, io)
  const cassette = loadCassette(path)
  refuseUnknownMembers(cassette.trace)
  const converted = toOther(cassette, format, file, io)
  if (flags.has('strict') && losesSomething(cassette, converted)) {
    io.warn('retake convert: nothing was written (--strict)')
    return exitCode.no
  }
  const text = await toText(converted)
  if (out === undefined) io.write(text)
  else {
    saveCassette(converted, resolve(io.cwd, out))
    io.print(`wrote ${out}: version ${format.slice(1)}, ${formatSize(Buffer.byteLength(text))}`)
  }
  return exitCode.yes
}

/** Whether another tool has a part in it. */
const isBetweenTools = (file: string, { options }: Input, io: Io): boolean => {
  const to = options.get('to')
  const isOwn = to === undefined || to === 'v2' || to === 'v3' || !targetNames().includes(to)
  return !isOwn || options.has('from') || openForeign(resolve(io.cwd, file)) !== undefined
}

const losesSomething = (before: CassetteFile, after: CassetteFile): boolean =>
  (before.test !== undefined && after.test === undefined) || after.extras.length < before.extras.length

/** What a conversion must not carry over. The other checks say what a run is like, and that stays as it is. */
const vital = new Set(['seal', 'hash_chain'])

const findBroken = (path: string): VerifyCheck | undefined =>
  verifyReadable(path).checks.find(({ name, status }) => status === 'fail' && vital.has(name))

/** @throws CassetteConflictError that says how a merge gets a seal: with both sides of its line, nothing can be checked */
const findBrokenMerged = (path: string, file: string): VerifyCheck | undefined => {
  try {
    return findBroken(path)
  } catch (error) {
    if (!(error instanceof CassetteConflictError)) throw error
    throw new CassetteConflictError(
      `${file}:${error.details.line} has conflict markers: where they hold nothing but two seals, keep either and run this again`,
      error.details,
      error,
    )
  }
}

const refuse = ({ name, where, detail }: VerifyCheck, file: string, io: Io): number => {
  io.warn(
    `retake convert: ${file}: it does not verify (${name}${where === undefined ? '' : ` at ${where}`}): ${detail}`,
  )
  return exitCode.no
}

const toFormat = (to: string | undefined): CassetteFormat => {
  if (to === 'v2' || to === 'v3') return to
  throw new UsageError(
    to === undefined ? 'convert needs --to or --reseal' : `--to takes v2, v3, ${targetNames().join(', ')}, not "${to}"`,
  )
}

const headerMembers = new Set(['version', 'id', 'createdAt', 'steps', 'parentId', 'forkedFromStepId'])
const stepMembers = new Set(['id', 'index', 'type', 'timestamp', 'payload', 'prevHash', 'hash'])

const refuseUnknownMembers = (trace: Trace): void => {
  const isStrange = (value: object, known: Set<string>): boolean => Object.keys(value).some((name) => !known.has(name))
  const step = trace.steps.findIndex((one) => isStrange(one, stepMembers))
  if (step < 0 && !isStrange(trace, headerMembers)) return
  const where = step < 0 ? 'the header' : `step ${step}`
  throw new UnsupportedError(`${where} has a member that the format does not know; a conversion would lose it`, {
    name: 'unknown member',
    where,
  })
}

const toOther = (cassette: CassetteFile, format: CassetteFormat, file: string, io: Io): CassetteFile => {
  const { trace, test, extras } = cassette
  if (format === 'v3') return { ...cassette, format }
  const lost = [...(test ? ['test'] : []), ...(extras.length > 0 ? ['extras'] : [])]
  if (lost.length > 0) io.warn(`retake convert: ${file}: version 2 has no place for ${lost.join(' and ')}; left out`)
  return { trace, format, extras: [] }
}

/** @throws SecretFoundError */
const toText = async (cassette: CassetteFile): Promise<string> => {
  const { trace, test, extras } = cassette
  await refuseAllSecrets({ ...trace, test, extras })
  return formatCassette(cassette)
}

const reseal = async (file: string, { options, flags }: Input, io: Io): Promise<number> => {
  if (options.size > 0 || flags.size > 1) throw new UsageError('--reseal works in place; it goes with no other flag')
  const path = resolve(io.cwd, file)
  const broken = findBrokenMerged(path, file)
  // A seal that does not fit is what this is for; a step that does not fit its sum was edited.
  if (broken?.where?.startsWith('step')) return refuse(broken, file, io)
  const before = readText(path)
  const cassette = parseUnsealed(before, { path })
  if (cassette.format === 'v2') throw new UsageError(`${file} is of version 2, which has no seal`)
  const after = await toText(cassette)
  if (after !== before) saveCassette(cassette, path)
  io.print(after === before ? `${file}: the seal fits already` : `${file}: sealed again`)
  return exitCode.yes
}
