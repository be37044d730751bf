import { renderTried, toReport } from './mutate/report.ts'
import { tryEvery } from './mutate/try-every.ts'
import { type Tried, tryRun } from './mutate/try-run.ts'
import { eachRun, onTraffic } from './on-traffic.ts'

const usage = `npm run mutate -- FILE [--json] [--every]
Records each run of a traffic file (.jsonl or .jsonl.gz) and replays it with one thing changed at a time. What a model
would notice must miss and be named; other ids, the other form of reply, metadata and cache marks must be served.
  --json   print one JSON document
  --every  change every member of every request in every small way instead, against the list of what is ignored
Exits with 0 if replay judges every change rightly, 1 if not, 2 if the file cannot be read.`

await onTraffic({
  name: 'mutate',
  usage,
  options: { json: { type: 'boolean' }, every: { type: 'boolean' } },
  async judge(traffic, { json, every }) {
    const tried: Tried[] = []
    if (!every) await eachRun(traffic, async (run, folder) => void tried.push(...(await tryRun(run, folder))))
    const report = every ? tryEvery(traffic) : toReport(tried)
    console.log(json ? JSON.stringify(report, null, 2) : renderTried(report))
    return report.faults.length === 0
  },
})
