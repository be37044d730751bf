import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readTraffic, TrafficError, type TrafficExchange } from '../test/support/fake-provider/traffic.ts'
import { withAsked } from './conformance/asked-by.ts'
import { writeDump } from './conformance/dump.ts'
import { type Judgement, judgeRun } from './conformance/judge-run.ts'
import { renderLost, renderTally } from './conformance/render-tally.ts'
import { toTally } from './conformance/tally.ts'

const usage = `npm run conformance -- FILE [--json] [--dump DIR]
Records and replays each run of a traffic file (.jsonl or .jsonl.gz) and compares what the model said.
Answers without a request are asked for by the least one of their endpoint.
  --json      print one JSON document
  --dump DIR  write one JSON file an exchange, with the raw bodies
Exits with 0 if nothing is lost, 1 if something is, 2 if the file cannot be read.`

/** The exchanges run by run, each in the order of the file; runs may be interleaved. */
const groupRuns = (exchanges: TrafficExchange[]): TrafficExchange[][] => [
  ...Map.groupBy(exchanges, ({ run }) => run).values(),
]

const judgeAll = async (exchanges: TrafficExchange[]): Promise<Map<TrafficExchange, Judgement>> => {
  const judged = new Map<TrafficExchange, Judgement>()
  const folder = await mkdtemp(join(tmpdir(), 'retake-conformance-'))
  try {
    for (const [index, run] of groupRuns(exchanges).entries())
      for (const [exchange, judgement] of await judgeRun(run, join(folder, `${index}`))) judged.set(exchange, judgement)
  } finally {
    await rm(folder, { recursive: true })
  }
  return new Map(exchanges.map((exchange) => [exchange, judged.get(exchange) ?? { verdict: 'lost' }]))
}

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, dump: { type: 'string' }, help: { type: 'boolean' } },
  })
  const [file, ...more] = positionals
  if (values.help) {
    console.log(usage)
    return 0
  }
  if (file === undefined || more.length > 0) {
    console.error(usage)
    return 2
  }
  const judged = await judgeAll((await readTraffic(file)).flatMap(withAsked))
  const tally = toTally(judged)
  const lost = renderLost(judged)
  if (values.dump !== undefined) await writeDump(values.dump, judged)
  if (values.json) {
    console.log(JSON.stringify(tally, null, 2))
    for (const line of lost) console.error(`lost: ${line}`)
  } else {
    console.log(renderTally(tally, lost))
  }
  return tally.lost > 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  // Errors with a code come from the file system and from parseArgs; everything else is a fault of this script.
  const isInput = error instanceof TrafficError || (error instanceof Error && 'code' in error)
  console.error(isInput ? `conformance: ${error.message}` : error)
  process.exitCode = 2
}
