import { resolve } from 'node:path'
import {
  detectFormat,
  type FormatReport,
  findDamage,
  findFormat,
  type Loss,
  openSource,
  type ReadRun,
  type RunFormat,
  saveRun,
  type WrittenRun,
  writtenFormats,
} from '@retake/formats'
import { formatTrace, refuseAllSecrets } from '@retake/trace'
import { exitCode, type Input, UsageError } from '../command.ts'
import { formatLosses } from '../format-losses.ts'
import type { Io } from '../io.ts'

/** Names that `--to` takes beside the versions of retake's own format. */
export const targetNames = (): string[] => writtenFormats()

/**
 * Converts between the formats of other tools and cassettes, over a trace. What the target cannot carry is told before
 * anything is written.
 * @throws UsageError, and the errors of the format that reads
 */
export const convertRun = async (file: string, { options, flags }: Input, io: Io): Promise<number> => {
  const to = options.get('to') ?? ''
  const out = options.get('out')
  const source = openSource(resolve(io.cwd, file))
  const format = detectFormat(source)
  const from = options.get('from')
  if (from !== undefined && from !== format?.name) {
    if (!findFormat(from)) throw new UsageError(`--from takes the name of a format, not "${from}"`)
    throw new UsageError(
      `${file} is ${format ? `of the format ${format.name}` : 'in no format that retake knows'}, not ${from}`,
    )
  }
  if (!format) throw new UsageError(`${file} is in no format that retake knows`)
  const broken = findBroken(format.verify?.(source, { strict: false }))
  if (broken) {
    io.warn(`retake convert: ${file}: it does not verify: ${broken}`)
    return exitCode.no
  }
  const run = format.read(source)
  const written = write(run, to)
  const lost = [...run.lost, ...written.lost]
  tellLosses(lost, file, io)
  if (flags.has('strict') && lost.length > 0) {
    io.warn('retake convert: nothing was written (--strict)')
    return exitCode.no
  }
  await refuseAllSecrets({ ...run.trace, extras: run.extras, test: run.test })
  return place(written, { to, out }, io)
}

const findBroken = (report: FormatReport | undefined): string | undefined => {
  const failed = report && findDamage(report)
  return failed && `${failed.name}${failed.where === undefined ? '' : ` at ${failed.where}`}: ${failed.detail}`
}

const write = (run: ReadRun, to: string): WrittenRun => {
  const beside = [...(run.test ? ['test'] : []), ...(run.extras.length > 0 ? ['extras'] : [])]
  if (to === 'v2') {
    return { text: formatTrace(run.trace), lost: beside.map((where) => ({ where, what: 'has no place in version 2' })) }
  }
  const format: RunFormat | undefined = findFormat(to === 'v3' ? 'retake' : to)
  if (format?.write) return format.write(run)
  throw new UsageError(`--to takes v2, v3, ${targetNames().join(', ')}, not "${to}"`)
}

const tellLosses = (lost: readonly Loss[], file: string, io: Io): void => {
  if (lost.length === 0) return
  const lines = formatLosses(lost).map((line) => `  ${line}`)
  io.warn([`retake convert: ${file}: not carried over:`, ...lines].join('\n'))
}

const place = (written: WrittenRun, { to, out }: { to: string; out: string | undefined }, io: Io): number => {
  if (out === undefined) {
    if ('files' in written) throw new UsageError(`${to} is a folder: --out says where to write it`)
    io.write(written.text)
    return exitCode.yes
  }
  saveRun(written, resolve(io.cwd, out))
  io.print(`wrote ${out}: ${to}`)
  return exitCode.yes
}
