import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { CassetteReport } from './cassette-report.ts'
import { renderSummary } from './render-summary.ts'

const report = (kind: CassetteReport['kind'], path = '/app/a', liveCalls = 0): CassetteReport => ({
  path,
  kind,
  liveCalls,
  replayedCalls: 0,
  unused: 0,
})
const render = (...reports: CassetteReport[]) =>
  stripVTControlCharacters(renderSummary(reports, (path) => path.replace('/app/', '')))

test('a run that only replays has one line', () => {
  expect(render(report('replayed'), report('replayed'))).toBe('  Cassettes  2 replayed')
})

test('new and changed files are listed, and live calls counted', () => {
  expect(
    render(report('replayed'), report('recorded', '/app/b', 2), report('updated', '/app/c', 1), report('failed')),
  ).toBe(
    [
      '  Cassettes  1 failed | 1 replayed | 1 recorded | 1 updated',
      '             ↳ recorded  b',
      '             ↳ updated  c',
      '       Live  3 calls',
    ].join('\n'),
  )
})

test('a recording that was thrown away is mentioned if calls were made for it', () => {
  expect(render(report('discarded'))).toBe('')
  expect(render(report('discarded', '/app/a', 1))).toBe('  Cassettes  1 discarded\n       Live  1 call')
})

test('nothing is said where nothing happened', () => {
  expect(render()).toBe('')
  expect(render(report('off'))).toBe('')
})
