import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { type Exchange, judge, type Verdict } from './round-trip/judge.ts'

/**
 * Reads every exchange of a traffic file with the wires, writes it again, and compares the two bodies by a reading of
 * its own. Usage: `node scripts/round-trip.ts FILE [--all]`; `--all` lists every exchange that is not exact.
 */
const [file, option] = process.argv.slice(2)
if (!file) throw new TypeError('usage: node scripts/round-trip.ts FILE [--all]')

const bytes = await readFile(file)
const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
const rows = new Map<string, Record<Verdict['kind'], number>>()
const reasons = new Map<string, number>()

for (const [index, line] of text.split('\n').entries()) {
  if (line === '') continue
  const exchange = JSON.parse(line) as Exchange
  const verdict = judge(exchange)
  if (!verdict) continue
  const key = `${exchange.endpoint} ${exchange.provider} ${exchange.streaming ? 'stream' : 'json'}`
  const row = rows.get(key) ?? { exact: 0, refused: 0, wrong: 0, skipped: 0 }
  row[verdict.kind]++
  rows.set(key, row)
  if (verdict.kind === 'exact') continue
  if (verdict.kind === 'refused') reasons.set(verdict.reason, (reasons.get(verdict.reason) ?? 0) + 1)
  if (verdict.kind === 'wrong' || option === '--all')
    console.log(index + 1, key, verdict.kind, verdict.reason, verdict.field ?? '')
}

console.table(Object.fromEntries([...rows].sort(([one], [other]) => (one < other ? -1 : 1))))
console.table(Object.fromEntries(reasons))
