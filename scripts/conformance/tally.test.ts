import { expect, test } from 'vitest'
import type { TrafficExchange } from '../../test/support/fake-provider/traffic.ts'
import type { Judgement } from './judge-run.ts'
import { renderLost, renderTally } from './render-tally.ts'
import { toTally } from './tally.ts'

const judged = (provider: string, streaming: boolean, judgement: Judgement): [TrafficExchange, Judgement] => [
  { run: 'a.yaml', turn: 3, provider, endpoint: 'chat.completions', streaming } as TrafficExchange,
  judgement,
]

const all = [
  judged('openai', true, { verdict: 'exact' }),
  judged('openai', false, { verdict: 'refused', reason: 'n > 1' }),
  judged('azure', false, { verdict: 'skipped' }),
  judged('openai', false, { verdict: 'refused', reason: 'citations' }),
  judged('openai', false, { verdict: 'refused', reason: 'n > 1' }),
  judged('openai', true, { verdict: 'lost', reason: 'stop: "stop" became null' }),
]

test('counts verdicts in all, by row, and refusals by name', () => {
  expect(toTally(all)).toEqual({
    total: 6,
    exact: 1,
    refused: 3,
    lost: 1,
    skipped: 1,
    rows: [
      { provider: 'azure', endpoint: 'chat.completions', streaming: false, exact: 0, refused: 0, lost: 0, skipped: 1 },
      { provider: 'openai', endpoint: 'chat.completions', streaming: false, exact: 0, refused: 3, lost: 0, skipped: 0 },
      { provider: 'openai', endpoint: 'chat.completions', streaming: true, exact: 1, refused: 0, lost: 1, skipped: 0 },
    ],
    reasons: { 'n > 1': 2, citations: 1 },
  })
})

test('prints a table without rows that were skipped, the refusals, and what was lost', () => {
  expect(renderTally(toTally(all), renderLost(all))).toBe(`provider  endpoint          body    exact  refused  lost
openai    chat.completions  json        0        3     0
openai    chat.completions  stream      1        0     1
all                                     1        3     1

refused, by the reason
     2  n > 1
     1  citations

lost
  openai chat.completions  a.yaml turn 3
    stop: "stop" became null

6 exchanges: 1 exact, 3 refused, 1 lost, 1 skipped (endpoints not in scope)`)
})
