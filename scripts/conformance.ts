import type { TrafficExchange } from '../test/support/fake-provider/traffic.ts'
import { withAsked } from './conformance/asked-by.ts'
import { writeDump } from './conformance/dump.ts'
import { type Judgement, judgeRun } from './conformance/judge-run.ts'
import { renderLost, renderTally } from './conformance/render-tally.ts'
import { toTally } from './conformance/tally.ts'
import { eachRun, onTraffic } from './on-traffic.ts'

const usage = `npm run conformance -- FILE [--json] [--dump DIR]
Records and replays each run of a traffic file (.jsonl or .jsonl.gz) and compares what the model said.
Answers without a request are asked for by the least one of their endpoint.
  --json      print one JSON document
  --dump DIR  write one JSON file an exchange, with the raw bodies
Exits with 0 if nothing is lost, 1 if something is, 2 if the file cannot be read.`

const judgeAll = async (exchanges: TrafficExchange[]): Promise<Map<TrafficExchange, Judgement>> => {
  const judged = new Map<TrafficExchange, Judgement>()
  await eachRun(exchanges, async (run, folder) => {
    for (const [exchange, judgement] of await judgeRun(run, folder)) judged.set(exchange, judgement)
  })
  return new Map(exchanges.map((exchange) => [exchange, judged.get(exchange) ?? { verdict: 'lost' }]))
}

await onTraffic({
  name: 'conformance',
  usage,
  options: { json: { type: 'boolean' }, dump: { type: 'string' } },
  async judge(traffic, { json, dump }) {
    const judged = await judgeAll(traffic.flatMap(withAsked))
    const tally = toTally(judged)
    const lost = renderLost(judged)
    if (dump !== undefined) await writeDump(dump, judged)
    if (json) {
      console.log(JSON.stringify(tally, null, 2))
      for (const line of lost) console.error(`lost: ${line}`)
    } else {
      console.log(renderTally(tally, lost))
    }
    return tally.lost === 0
  },
})
