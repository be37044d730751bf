import type { JsonObject } from '@retake/trace'
import type { TrafficExchange } from '../../test/support/fake-provider/traffic.ts'
import { isInScope, urlOn } from '../conformance/exchange.ts'
import { fullRequests } from './full-requests.ts'
import type { Report } from './report.ts'
import { tryMutations } from './try-mutations.ts'

/** Every small change of every request, judged by comparing it with the request as it was. */
export const tryEvery = (traffic: readonly TrafficExchange[]): Report => {
  const requests = traffic.filter(isInScope).map((exchange) => ({
    // The hosts of the traffic may be masked.
    url: urlOn('http://127.0.0.1', exchange),
    headers: exchange.request.headers,
    body: exchange.request.body as JsonObject,
  }))
  const counts = new Map<string, { applicable: number; right: number }>()
  const faults: Report['faults'] = []
  for (const [index, request] of [...Object.values(fullRequests), ...requests].entries()) {
    const tally = tryMutations(request)
    if (!tally) continue
    const add = (change: string, right: number, wrong = 0): void => {
      const key = JSON.stringify([tally.wire, change])
      const { applicable, right: before } = counts.get(key) ?? { applicable: 0, right: 0 }
      counts.set(key, { applicable: applicable + right + wrong, right: before + right })
    }
    const wrong = tally.faults.filter(({ kind }) => kind !== 'equivalent').length
    add('caught', tally.caught, wrong)
    add('ignored by the list', tally.ignored)
    add('rewritten and served', tally.equivalent, tally.faults.length - wrong)
    for (const { path, kind, verdict } of tally.faults)
      faults.push({ wire: tally.wire, change: `${kind} ${path}`, where: `request ${index + 1}`, verdict })
  }
  const rows = [...counts].map(([key, row]) => {
    const [wire, change] = JSON.parse(key) as [string, string]
    return { wire, change, ...row }
  })
  const applicable = rows.reduce((sum, row) => sum + row.applicable, 0)
  return { applicable, right: applicable - faults.length, rows, faults }
}
