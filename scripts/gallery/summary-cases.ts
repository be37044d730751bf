import { type RunSummary, renderRecordingNotices, renderSummary } from '@retake/report'
import type { Shown } from './command-cases.ts'

type Report = RunSummary['reports'][number]

const path = (name: string): string => `test/__cassettes__/refund.test.ts/${name}.cassette.json`
const report = (kind: Report['kind'], name: string, more: Partial<Report> = {}): Report => ({
  path: path(name),
  kind,
  liveCalls: 0,
  unused: 0,
  ...more,
})
const replayed = Array.from({ length: 36 }, (_, nth) => report('replayed', `case-${nth}`))
const live = { replies: 3, tokens: { input: 6100, output: 420 }, duration: 12_000 }

const summaries: Record<string, RunSummary> = {
  'everything is replayed': { reports: replayed },
  'something of each': {
    reports: [
      ...replayed,
      report('failed', 'late'),
      report('recorded', 'new', { liveCalls: 3, live }),
      report('updated', 'changed', { liveCalls: 3, live }),
      report('unchanged', 'same', { liveCalls: 1, live: { ...live, replies: 1 } }),
      report('replayed', 'loose', { unused: 2, inForce: ['allowUnused: true', "match: 'sequence'"] }),
    ],
    obsolete: [{ path: path('old-name'), reason: 'its test is gone' }],
    renamed: [{ from: path('old-name'), to: path('new'), exists: true }],
  },
  'takes wait': { reports: [report('waiting', 'late', { liveCalls: 3, live })], waiting: 1 },
  'obsolete under CI': {
    reports: replayed,
    obsolete: [{ path: path('old'), reason: 'its test is gone' }],
    strict: true,
  },
}

/** What stands at the end of a run, below the rows of both runners. */
export const playSummaries = (): Shown[] =>
  (['vitest', 'jest'] as const).flatMap((runner) => {
    const options = { listed: (file: string) => file, argument: (file: string) => file, colors: true, runner }
    const ignored = { path: path('new'), rule: '.gitignore:3:__cassettes__' }
    return [
      ...Object.entries(summaries).map(([name, summary]) => ({
        name: `${runner}: ${name}`,
        output: renderSummary(summary, options),
      })),
      { name: `${runner}: notices`, output: renderRecordingNotices({ first: [path('new')], ignored }, options).trim() },
    ]
  })
