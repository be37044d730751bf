import { ConfigError } from '@retake/trace'
import type { RunFormat } from '../run-format.ts'
import type { RunSource } from '../run-source.ts'
import { diffBackspin } from './diff-runs.ts'
import { fromTrace } from './from-trace.ts'
import { parseBackspin } from './parse-run.ts'
import type { BackspinRun } from './run-file.ts'
import { toTrace } from './to-trace.ts'
import { verifyBackspin } from './verify-run.ts'
import { formatBackspin } from './write-run.ts'

/** `.backspin.jsonl` files, schema 1. */
export const backspin: RunFormat = {
  name: 'backspin',
  recognizes: (source) => source.kind === 'file' && startsWithHeader(source.text),
  read: (source) => toTrace(parse(source)),
  write(run) {
    const { run: written, lost } = fromTrace(run)
    return { text: formatBackspin(written), lost }
  },
  verify: (source) => verifyBackspin(textOf(source)),
  diff: (first, second) => diffBackspin(parse(first), parse(second)),
}

/** By the kind of the first line, whatever schema it states. */
const startsWithHeader = (text: string): boolean => /^\s*\{[^\n]*"kind"\s*:\s*"header"/.test(text)

const parse = (source: RunSource): BackspinRun => parseBackspin(textOf(source), source.path)

function textOf(source: RunSource): string {
  if (source.kind === 'file') return source.text
  throw new ConfigError(`${source.path} is a folder, and a backspin run is a file`, { path: source.path })
}
