import type { JsonObject } from '@retake/trace'
import { readTraffic } from '../test/support/fake-provider/traffic.ts'
import { isInScope, urlOn } from './conformance/exchange.ts'
import { fullChat, fullMessages } from './mutate-requests/full-requests.ts'
import { type Tally, tryMutations } from './mutate-requests/try-mutations.ts'

/**
 * Changes every request of a traffic file in every small way and asks whether strict replay would still serve it, where
 * the list in `ignored.ts` does not allow it; and rewrites it without a change of what it asks, which must be served.
 * Usage: `node scripts/mutate-requests.ts FILE`; exits with 1 where replay judges wrongly.
 */
const [file] = process.argv.slice(2)
if (!file) throw new TypeError('usage: node scripts/mutate-requests.ts FILE')

const traffic = (await readTraffic(file)).filter(isInScope).map((exchange) => ({
  name: `${exchange.endpoint} ${exchange.provider}`,
  request: {
    // The hosts of the traffic may be masked.
    url: urlOn('http://127.0.0.1', exchange),
    headers: exchange.request.headers,
    body: exchange.request.body as JsonObject,
  },
}))
const requests = [
  ...traffic,
  { name: 'chat.completions in full', request: fullChat },
  { name: 'messages in full', request: fullMessages },
]

const rows = new Map<string, Omit<Tally, 'faults'> & { requests: number; faults: number }>()
for (const { name, request } of requests) {
  const tally = tryMutations(request)
  if (!tally) continue
  const row = rows.get(name) ?? { requests: 0, tried: 0, caught: 0, ignored: 0, equivalent: 0, faults: 0 }
  row.requests++
  row.tried += tally.tried
  row.caught += tally.caught
  row.ignored += tally.ignored
  row.equivalent += tally.equivalent
  row.faults += tally.faults.length
  rows.set(name, row)
  for (const { path, kind, verdict } of tally.faults) console.log(`${name}: ${kind} ${path}: ${verdict}`)
}
console.table(Object.fromEntries([...rows].sort(([one], [other]) => (one < other ? -1 : 1))))
const sum = (member: 'requests' | 'tried' | 'caught' | 'ignored' | 'equivalent' | 'faults') =>
  [...rows.values()].reduce((total, row) => total + row[member], 0)
console.log(
  `${sum('requests')} requests, ${sum('tried')} mutations: ${sum('caught')} caught, ${sum('ignored')} ignored by the list; ` +
    `${sum('equivalent')} rewritings served; ${sum('faults')} faults`,
)
process.exitCode = sum('faults') > 0 ? 1 : 0
