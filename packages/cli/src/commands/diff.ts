import { resolve } from 'node:path'
import { diffOutcome, diffTraces, diffTracesSemantic, type OutcomeDiff } from '@retake/compare'
import type { FormatDiff, RunFormat } from '@retake/formats'
import { renderFormatDiff, renderTraceDiff } from '@retake/report'
import { CassetteCorruptError, type Trace, verifyTrace } from '@retake/trace'
import { type Command, exitCode, UsageError } from '../command.ts'
import { type ForeignFile, openForeign } from '../foreign-file.ts'
import { formatDocument } from '../format-document.ts'
import type { Io } from '../io.ts'
import { readCassette } from '../read-cassette.ts'

export const diff: Command = {
  name: 'diff',
  args: '<first> <second>',
  summary: 'Compare two cassettes: where they part, how they end, every difference',
  flags: {
    semantic: 'Compare what the steps say; times and hashes do not count',
    json: 'Print one JSON document',
  },
  details: [
    'Two files of one other format are compared by its own rules; with --semantic, or with a file of',
    'another format, as traces.',
    'Exit code: 0 no difference, 1 different, 2 a file could not be read.',
  ].join('\n'),

  run({ args, flags }, io) {
    const [first, second, ...others] = args
    if (first === undefined || second === undefined || others.length > 0) {
      throw new UsageError(`diff takes two cassettes, not ${args.length}`)
    }
    const sides = [openForeign(resolve(io.cwd, first)), openForeign(resolve(io.cwd, second))] as const
    if (!flags.has('semantic')) {
      const own = diffByFormat(sides)
      if (own) return tellFormatDiff({ ...own, first, second }, flags.has('json'), io)
    }
    // Hashes of files that two tools wrote are never equal.
    const by = flags.has('semantic') || sides.some((side) => side) ? 'semantic' : 'hash'
    const [one, other] = [
      sides[0] ? readTrace(sides[0]) : load(first, by, io),
      sides[1] ? readTrace(sides[1]) : load(second, by, io),
    ]
    const found = by === 'semantic' ? diffTracesSemantic(one, other) : diffTraces(one, other)
    const outcome = diffOutcome(one, other)
    if (flags.has('json')) {
      const { hasDivergence, firstDivergenceIndex: firstDivergence, differences } = found
      io.print(formatDocument({ equal: !hasDivergence, by, firstDivergence, outcome, differences }))
    } else {
      const named = { first: { name: first, trace: one }, second: { name: second, trace: other } }
      io.print(renderTraceDiff({ ...named, diff: found, outcome, style: io.style, width: io.width }))
    }
    return found.hasDivergence ? exitCode.no : exitCode.yes
  },
}

const readTrace = ({ format, source }: ForeignFile): Trace => format.read(source).trace

interface OwnDiff {
  format: RunFormat
  diff: FormatDiff
  outcome: OutcomeDiff
}

/** Two files of one format are compared by its rules. */
const diffByFormat = ([one, other]: readonly [ForeignFile | undefined, ForeignFile | undefined]):
  | OwnDiff
  | undefined => {
  if (!one || !other || one.format !== other.format || !one.format.diff) return undefined
  const diff = one.format.diff(one.source, other.source)
  return { format: one.format, diff, outcome: diffOutcome(readTrace(one), readTrace(other)) }
}

const tellFormatDiff = (
  { format, diff, outcome, first, second }: OwnDiff & { first: string; second: string },
  json: boolean,
  io: Io,
): number => {
  const { firstDivergence, differences } = diff
  const equal = firstDivergence === null
  // A run of backspin is compared by the fingerprints of its requests.
  const by = format.name === 'backspin' ? 'hash' : 'semantic'
  if (json) io.print(formatDocument({ equal, by, firstDivergence, outcome, differences }))
  else {
    const { style, width } = io
    io.print(renderFormatDiff({ first, second, format: format.name, differences, outcome, style, width }))
  }
  return equal ? exitCode.yes : exitCode.no
}

const load = (file: string, by: 'hash' | 'semantic', io: Io): Trace => {
  const { trace } = readCassette(file, io)
  if (by === 'semantic') return trace
  // Hashes that do not fit their steps would hide differences, or make them up.
  const broken = verifyTrace(trace).checks.find(({ name, status }) => name === 'hash_chain' && status === 'fail')
  if (!broken) return trace
  throw new CassetteCorruptError(
    `${file}: its hashes do not fit its steps (${broken.where ?? 'hash_chain'}); see retake verify, or compare with --semantic`,
    { path: file },
  )
}
