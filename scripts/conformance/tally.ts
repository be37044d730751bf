import type { TrafficExchange } from '../../test/support/fake-provider/traffic.ts'
import type { Judgement, Verdict } from './judge-run.ts'

type Counts = Record<Verdict, number>

/** What `--json` prints. */
export interface Tally extends Counts {
  total: number
  rows: ({ provider: string; endpoint: string; streaming: boolean } & Counts)[]
  /** Refused exchanges by the name on the refusal list. */
  reasons: Record<string, number>
}

const none = (): Counts => ({ exact: 0, refused: 0, lost: 0, skipped: 0 })

/** Counts verdicts in all, and by provider, endpoint and streaming in alphabetical order. */
export const toTally = (judged: Iterable<[TrafficExchange, Judgement]>): Tally => {
  const counts = none()
  const rows = new Map<string, Tally['rows'][number]>()
  const reasons = new Map<string, number>()
  let total = 0
  for (const [{ provider, endpoint, streaming }, { verdict, reason = '' }] of judged) {
    const key = JSON.stringify([provider, endpoint, streaming])
    const row = rows.get(key) ?? { provider, endpoint, streaming, ...none() }
    rows.set(key, row)
    row[verdict] += 1
    counts[verdict] += 1
    total += 1
    if (verdict === 'refused') reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  return {
    total,
    ...counts,
    rows: [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
    reasons: Object.fromEntries([...reasons].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))),
  }
}
