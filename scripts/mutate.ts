import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readTraffic, TrafficError, type TrafficExchange } from '../test/support/fake-provider/traffic.ts'
import { renderTried, toReport } from './mutate/report.ts'
import { tryEvery } from './mutate/try-every.ts'
import { type Tried, tryRun } from './mutate/try-run.ts'

const usage = `npm run mutate -- FILE [--json] [--every]
Records each run of a traffic file (.jsonl or .jsonl.gz) and replays it with one thing changed at a time. What a model
would notice must miss and be named; other ids, the other form of reply, metadata and cache marks must be served.
  --json   print one JSON document
  --every  change every member of every request in every small way instead, against the list of what is ignored
Exits with 0 if replay judges every change rightly, 1 if not, 2 if the file cannot be read.`

const tryAll = async (exchanges: TrafficExchange[]): Promise<Tried[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'retake-mutate-'))
  const tried: Tried[] = []
  try {
    for (const [index, run] of [...Map.groupBy(exchanges, ({ run }) => run).values()].entries())
      tried.push(...(await tryRun(run, join(folder, `${index}`))))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return tried
}

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, every: { type: 'boolean' }, help: { type: 'boolean' } },
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
  const traffic = await readTraffic(file)
  const report = values.every ? tryEvery(traffic) : toReport(await tryAll(traffic))
  console.log(values.json ? JSON.stringify(report, null, 2) : renderTried(report))
  return report.faults.length > 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  const isInput = error instanceof TrafficError || (error instanceof Error && 'code' in error)
  console.error(isInput ? `mutate: ${error.message}` : error)
  process.exitCode = 2
}
