import { parseArgs } from 'node:util'
import { fetchRows } from './bench/fetch-rows.ts'
import { fileRows, sizeRows } from './bench/file-rows.ts'
import { heapRows } from './bench/heap-rows.ts'
import type { Row } from './bench/rounds.ts'
import { runnerRows } from './bench/runner-rows.ts'

const usage = `npm run bench [-- --json] [--rounds N] [--short]
Measures retake against what the same work costs without it: candidates in rounds, medians of ratios.
  --json      print one JSON document: [{ row, ratio, limit?, rounds }]
  --rounds N  rounds of each row, of the short ones four times as many [15], of whole test runs half as many [7]
  --short     3 rounds, and no failure: for a look, or a machine that others use
Whole test runs need the build (npm run build).
Exits with 1 if a ratio is over its limit.`

const isOver = ({ ratio, limit }: Row): boolean => limit !== undefined && ratio > limit

function render(rows: readonly Row[]): string {
  const widest = Math.max(...rows.map(({ row }) => row.length))
  const lines = rows.map((row) => {
    const limit = row.limit === undefined ? '' : `  limit ${row.limit}`
    return `${row.row.padEnd(widest)}  ${row.ratio.toFixed(3).padStart(7)}${limit}${isOver(row) ? '  over' : ''}`
  })
  return lines.join('\n')
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      rounds: { type: 'string' },
      short: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  const rounds = Number(values.rounds ?? (values.short ? 3 : 15))
  if (values.help || !Number.isInteger(rounds) || rounds < 1) {
    ;(values.help ? console.log : console.error)(usage)
    return values.help ? 0 : 2
  }
  const rows = [
    ...sizeRows(),
    ...heapRows(),
    ...(await fetchRows(4 * rounds)),
    ...(await fileRows(rounds)),
    ...(await runnerRows(Math.max(Math.floor(rounds / 2), 1))),
  ]
  console.log(values.json ? JSON.stringify(rows, null, 2) : render(rows))
  return !values.short && rows.some(isOver) ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  const isUsage = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  console.error(isUsage ? `${error.message}\n${usage}` : error)
  process.exitCode = 2
}
