import { diffOutcome, diffTraces, diffTracesSemantic } from '@retake/compare'
import { renderTraceDiff } from '@retake/report'
import { CassetteCorruptError, type Trace, verifyTrace } from '@retake/trace'
import { type Command, exitCode, UsageError } from '../command.ts'
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
  details: 'Exit code: 0 no difference, 1 different, 2 a file could not be read.',

  run({ args, flags }, io) {
    const [first, second, ...others] = args
    if (first === undefined || second === undefined || others.length > 0) {
      throw new UsageError(`diff takes two cassettes, not ${args.length}`)
    }
    const by = flags.has('semantic') ? 'semantic' : 'hash'
    const [one, other] = [load(first, by, io), load(second, by, io)]
    const found = by === 'semantic' ? diffTracesSemantic(one, other) : diffTraces(one, other)
    const outcome = diffOutcome(one, other)
    if (flags.has('json')) {
      const { hasDivergence, firstDivergenceIndex: firstDivergence, differences } = found
      io.print(formatDocument({ equal: !hasDivergence, by, firstDivergence, outcome, differences }))
    } else {
      const sides = { first: { name: first, trace: one }, second: { name: second, trace: other } }
      io.print(renderTraceDiff({ ...sides, diff: found, outcome, style: io.style, width: io.width }))
    }
    return found.hasDivergence ? exitCode.no : exitCode.yes
  },
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
