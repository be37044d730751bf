import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { type CassetteRow, type RunSummary, renderSummary, type SummaryOptions } from './summary.ts'

const report = (kind: CassetteRow['kind'], path = '/app/a', liveCalls = 0): CassetteRow => ({
  path,
  kind,
  liveCalls,
  unused: 0,
})
const short = (path: string) => path.replace('/app/', '')
const renderAll = (summary: RunSummary, options: Partial<SummaryOptions> = {}) =>
  renderSummary(summary, { listed: short, argument: short, colors: false, runner: 'vitest', ...options })
const render = (...reports: CassetteRow[]) => renderAll({ reports })

test('a run that only replays has one line', () => {
  expect(render(report('replayed'), report('replayed'))).toBe('  Cassettes  2 replayed')
})

test('new and changed files are listed, and live calls counted', () => {
  expect(
    render(report('replayed'), report('recorded', '/app/b', 2), report('updated', '/app/c', 1), report('failed')),
  ).toBe(
    [
      '  Cassettes  1 failed | 1 replayed | 1 recorded | 1 updated (4)',
      '             ↳ recorded  b',
      '             ↳ updated  c',
      '       Live  3 calls',
    ].join('\n'),
  )
})

test('what live calls took is said where it is known of all of them', () => {
  const use = (calls: number, tokens?: { input: number; output: number }) => ({
    ...report('recorded', '/app/b', calls),
    live: { replies: calls, ...(tokens && { tokens }), duration: 21_400 },
  })
  const last = (...rows: CassetteRow[]) =>
    render(...rows)
      .split('\n')
      .at(-1)
  expect(last(use(2, { input: 18_010, output: 950 }), use(5, { input: 390, output: 250 }))).toBe(
    '       Live  7 calls, 18.4k tokens in, 1.2k out, 43 s',
  )
  expect(last(use(2, { input: 1, output: 2 }), use(1))).toBe('       Live  3 calls, 43 s')
  expect(last(use(2, { input: 1, output: 2 }), report('failed', '/app/c', 1))).toBe('       Live  3 calls')
})

test('a recording that was thrown away is mentioned if calls were made for it', () => {
  expect(render(report('discarded'))).toBe('')
  expect(render(report('discarded', '/app/a', 1))).toBe('  Cassettes  1 discarded\n       Live  1 call')
})

test('options that loosen the comparison are named, with how many tests they concern', () => {
  const loose = (...inForce: string[]): CassetteRow => ({ ...report('replayed'), inForce })
  expect(render(loose('ignore'), loose('ignore', "match: 'sequence'"), report('scripted'))).toBe(
    ['  Cassettes  2 replayed | 1 scripted (3)', "   In force  ignore (2), match: 'sequence' (1)"].join('\n'),
  )
})

test('nothing is said where nothing happened', () => {
  expect(render()).toBe('')
  expect(render(report('off'))).toBe('')
})

test('steps that may be left over are counted', () => {
  expect(render({ ...report('replayed'), unused: 2 }, { ...report('failed'), unused: 1 })).toBe(
    '  Cassettes  1 failed | 1 replayed (2)\n     Unused  2 recorded requests, as allowed',
  )
})

const obsolete = [
  { path: '/app/b', reason: 'its test is gone' },
  { path: '/app/c', reason: 'no test uses it' },
]

test('obsolete cassettes are listed, with the way out', () => {
  expect(renderAll({ reports: [report('replayed')], obsolete })).toBe(
    [
      '  Cassettes  1 replayed | 2 obsolete (3)',
      '             ↳ obsolete  b  (its test is gone)',
      '             ↳ obsolete  c  (no test uses it)',
      '             remove: npx retake prune',
    ].join('\n'),
  )
  expect(renderAll({ reports: [], obsolete, strict: true })).toContain('they fail the run under CI; remove: npx retake')
})

test('an update says what it removed', () => {
  expect(renderAll({ reports: [report('updated')], obsolete, removed: true, strict: true })).toBe(
    [
      '  Cassettes  1 updated | 2 removed (3)',
      '             ↳ updated  a',
      '             ↳ removed  b  (its test is gone)',
      '             ↳ removed  c  (no test uses it)',
    ].join('\n'),
  )
})

test('a renamed test is told how to keep its cassette', () => {
  const renamed = [{ from: '/app/b', to: '/app/new name', exists: true }]
  expect(renderAll({ reports: [], obsolete: obsolete.slice(0, 1), renamed })).toBe(
    [
      '  Cassettes  1 obsolete',
      '             ↳ obsolete  b  (its test is gone)',
      '             ↳ renamed?  npx retake mv --force b new name',
    ].join('\n'),
  )
})

test('below the rows of Jest it looks like one of them', () => {
  const reports = [report('replayed'), report('recorded', '/app/b', 2)]
  expect(renderAll({ reports }, { runner: 'jest' })).toBe(
    ['Cassettes:   1 replayed, 1 recorded, 2 total', '             ↳ recorded  b', 'Live:        2 calls'].join('\n'),
  )
})

test('colours change no letter', () => {
  const coloured = renderAll({ reports: [report('replayed')], obsolete }, { colors: true })
  expect(coloured).toContain('\u001b[')
  expect(stripVTControlCharacters(coloured)).toBe(renderAll({ reports: [report('replayed')], obsolete }))
})
