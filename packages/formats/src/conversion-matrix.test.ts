import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { diffTracesSemantic } from '@retake/compare'
import { formatTrace, isJsonObject, loadCassette, type Trace, TraceRecorder, verifyTrace } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../test/corpus-bundles.ts'
import { findFormat } from './find-format.ts'
import type { Loss } from './loss.ts'
import { readRun } from './read-run.ts'
import type { ReadRun, WrittenRun } from './run-format.ts'
import { openSource } from './run-source.ts'
import { saveRun } from './save-run.ts'

const root = join(import.meta.dirname, '../../..')
const files = (pattern: string) => globSync(pattern, { cwd: root }).sort()

/** Every recording of each format that the repository has. */
const samples: Record<string, string[]> = {
  v2: files('test/corpus/blackbox/*.json'),
  v3: files('examples/refund-agent-vitest/test/__cassettes__/**/*.cassette.json'),
  backspin: files('test/corpus/backspin/*.backspin.jsonl'),
  stepfork: files('test/corpus/stepfork/*.sftrace'),
  agentskit: files('test/corpus/agentskit/captured-session.json'),
}
const formats = Object.keys(samples)

/** The cells of the table in the documentation, by source and target. */
const documented: Record<string, Record<string, string>> = Object.fromEntries(
  [...readFileSync(join(root, 'docs/formats.md'), 'utf8').matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(
    ([, from, cells]) => [
      from,
      Object.fromEntries((cells ?? '').split('|').map((cell, at) => [formats[at], cell.trim()])),
    ],
  ),
)

const writeAs = (run: ReadRun, to: string): WrittenRun => {
  if (to !== 'v2') return findFormat(to === 'v3' ? 'retake' : to)?.write?.(run) as WrittenRun
  const lost: Loss[] = run.extras.length > 0 || run.test ? [{ where: 'extras', what: '' }] : []
  return { text: formatTrace(run.trace), lost }
}

/** A run without what only tells where it comes from: notes of its old format, ids and times. */
const told = ({ id, createdAt, steps }: Trace): Trace => {
  const recorder = new TraceRecorder({ id, createdAt })
  for (const { type, payload, timestamp } of steps) {
    const { content, ...members } = isJsonObject(payload) ? payload : {}
    if (
      typeof members.event === 'string' &&
      /^(?:stepfork\.(?:manifest|run_start)|backspin\.header)$/.test(members.event)
    )
      continue
    recorder.append(type, type === 'metadata' ? members : payload, timestamp)
  }
  return recorder.toTrace()
}

const convert = (file: string, to: string) => {
  const run = readRun(join(root, file))
  const written = writeAs(run, to)
  const path = join(newFolder(), to === 'stepfork' ? 'a.sftrace' : 'a.json')
  saveRun(written, path)
  return { run, written, path, again: readRun(path) }
}

test('the documentation has a row for each format, and a cell for each pair', () => {
  expect(Object.keys(documented)).toEqual(formats)
  for (const cells of Object.values(documented)) expect(Object.keys(cells)).toEqual(formats)
})

describe.each(formats)('from %s', (from) => {
  const own = from === 'v2' || from === 'v3' ? 'retake' : from

  test.each(formats)('to %s', (to) => {
    const cell = documented[from]?.[to]
    const losses: string[] = []
    expect(samples[from]?.length).toBeGreaterThan(0)
    for (const file of samples[from] ?? []) {
      const { run, written, path, again } = convert(file, to)
      losses.push(...[...run.lost, ...written.lost].map(({ where, what }) => `${where}: ${what}`))
      // What was written is sound by the rules of its format, and as a trace.
      const report = findFormat(again.format)?.verify?.(openSource(path), { strict: false })
      expect([file, report?.checks.filter(({ status }) => status === 'fail')]).toEqual([file, []])
      expect(verifyTrace(again.trace).pass).toBe(true)
      // Nothing is lost without a word.
      const { differences } = diffTracesSemantic(told(run.trace), told(again.trace))
      const isTold = written.lost.length + again.lost.length + run.lost.length > 0
      expect([file, isTold ? [] : differences]).toEqual([file, []])
      if (cell === 'exact') expect(differences).toEqual([])
    }
    expect([losses.length === 0 ? 'exact' : 'losses', losses]).toEqual([cell, losses])
    expect(own).toBe(readRun(join(root, samples[from]?.[0] ?? '')).format)
  })
})

test('version 2 to 3 and back is exact to the byte', () => {
  for (const file of samples.v2 ?? []) {
    const { path } = convert(file, 'v3')
    expect(formatTrace(loadCassette(path).trace)).toBe(readFileSync(join(root, file), 'utf8'))
  }
})
