import { expect, test } from 'vitest'
import { type CassetteReport, mergeReports } from './cassette-report.ts'

const report = (kind: CassetteReport['kind'], liveCalls = 0): CassetteReport => ({
  path: '/a.cassette.json',
  kind,
  liveCalls,
  replayedCalls: 0,
  unused: 0,
})

test('the last attempt decides', () => {
  expect(mergeReports(report('failed'), report('replayed'))).toMatchObject({ kind: 'replayed' })
  expect(mergeReports(report('discarded'), report('recorded'))).toMatchObject({ kind: 'recorded' })
})

test('a repetition that replays what was just recorded was a recording', () => {
  expect(mergeReports(report('recorded'), report('replayed'))).toMatchObject({ kind: 'recorded' })
  expect(mergeReports(report('updated'), report('replayed'))).toMatchObject({ kind: 'updated' })
  expect(mergeReports(report('recorded'), report('failed'))).toMatchObject({ kind: 'failed' })
})

test('live calls of attempts that were thrown away are still counted', () => {
  expect(mergeReports(report('discarded', 2), report('recorded', 3))).toMatchObject({ liveCalls: 5 })
})

test('what live calls took adds up, tokens only where all were counted', () => {
  const took = (tokens?: { input: number; output: number }): CassetteReport => ({
    ...report('recorded', 1),
    live: { replies: 1, ...(tokens && { tokens }), duration: 10 },
  })
  const counted = took({ input: 3, output: 4 })
  expect(mergeReports(counted, counted).live).toEqual({ replies: 2, tokens: { input: 6, output: 8 }, duration: 20 })
  expect(mergeReports(counted, took()).live).toEqual({ replies: 2, duration: 20 })
  expect(mergeReports(counted, report('replayed')).live).toEqual(counted.live)
})
