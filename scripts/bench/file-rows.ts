import { createHash } from 'node:crypto'
import {
  canonicalJson,
  createChainHasher,
  formatTrace,
  parseCassette,
  stepHash,
  type Trace,
  verifyText,
} from '@retake/trace'
import { makeRun, type RunShape } from './agent-run.ts'
import { medianRatio, type Row } from './rounds.ts'

/** Hashing, loading and verifying a run of 200 turns, against what the v2 file of the same run costs. */
export async function fileRows(rounds: number): Promise<Row[]> {
  const run = makeRun({ turns: 200, coding: true })
  const v3 = formatTrace(run, { format: 'v3' })
  const v2 = formatPretty(run)
  const rows: Row[] = []
  const add = async (row: string, limit: number, work: () => unknown, base: () => unknown) => {
    rows.push({ row, ratio: await medianRatio({ work }, { work: base }, rounds), limit, rounds })
  }

  const bytes = Buffer.from(run.steps.map(hashedText).join(''))
  await add(
    'hash of shared messages / SHA-256 of the same bytes',
    1.6,
    () => hashAll(run),
    () => createHash('sha256').update(bytes).digest(),
  )
  await add(
    'load of v3 / parse of pretty v2',
    0.1,
    () => parseCassette(v3),
    () => JSON.parse(v2),
  )
  await add(
    'verify of v3 / parse of pretty v2 and hash of each step',
    0.12,
    () => expectPass(verifyText(v3)),
    () => hashEachAnew(JSON.parse(v2)),
  )
  return rows
}

const formatPretty = (run: Trace): string => JSON.stringify(run, null, 2)

const hashedText = ({ index, payload, prevHash, timestamp, type }: Trace['steps'][number]): string =>
  canonicalJson({ index, payload, prevHash, timestamp, type })

function hashAll({ steps }: Trace): void {
  const hash = createChainHasher()
  for (const step of steps) if (hash(step) !== step.hash) throw new Error(`step ${step.index} has another hash`)
}

function hashEachAnew({ steps }: Trace): void {
  for (const step of steps) if (stepHash(step) !== step.hash) throw new Error(`step ${step.index} has another hash`)
}

function expectPass({ pass, checks }: ReturnType<typeof verifyText>): void {
  if (!pass) throw new Error(`not verified: ${JSON.stringify(checks)}`)
}

/** How large v3 files are: against v2, and when the run grows. */
export function sizeRows(): Row[] {
  const size = (shape: RunShape) => {
    const run = makeRun(shape)
    return { v2: Buffer.byteLength(formatPretty(run)), v3: Buffer.byteLength(formatTrace(run, { format: 'v3' })) }
  }
  const kinds: [string, Omit<RunShape, 'turns'>][] = [
    ['', {}],
    [', coding', { coding: true }],
    [', window of 20 messages', { window: 20 }],
    [', state in the first message', { state: true }],
  ]
  return kinds.flatMap(([kind, shape]): Row[] => {
    const short = size({ turns: 30, ...shape })
    const long = size({ turns: 100, ...shape })
    const rows = [{ row: `size of v3, 100 turns / 30 turns${kind}`, ratio: long.v3 / short.v3, limit: 4, rounds: 1 }]
    // A window keeps v2 small as well.
    if (shape.window !== undefined) return rows
    return [
      { row: `size of v3 / pretty v2, 30 turns${kind}`, ratio: short.v3 / short.v2, limit: 0.1, rounds: 1 },
      ...rows,
    ]
  })
}
