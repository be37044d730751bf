import type { TrafficExchange } from '../../test/support/fake-provider/traffic.ts'
import type { Judgement } from './judge-run.ts'
import type { Tally } from './tally.ts'

const renderTable = (lines: (string | number)[][]): string => {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => String(line[column]).length)))
  const cell = (value: string | number, column: number) =>
    typeof value === 'number' || column > 2
      ? String(value).padStart(widths[column] ?? 0)
      : value.padEnd(widths[column] ?? 0)
  return lines.map((line) => line.map(cell).join('  ').trimEnd()).join('\n')
}

/** One line for each lost exchange. */
export const renderLost = (judged: Iterable<[TrafficExchange, Judgement]>): string[] =>
  [...judged].flatMap(([{ run, turn, provider, endpoint }, { verdict, reason }]) =>
    verdict === 'lost' ? [`${provider} ${endpoint}  ${run} turn ${turn}\n    ${reason}`] : [],
  )

/** The table by provider, endpoint and streaming, the names of refusals, and what was lost. */
export const renderTally = (tally: Tally, lost: string[]): string => {
  const head = ['provider', 'endpoint', 'body', 'exact', 'refused', 'lost']
  const rows = tally.rows.filter((row) => row.exact + row.refused + row.lost > 0)
  const { exact, refused, lost: lostCount } = tally
  const table = renderTable([
    head,
    ...rows.map((row) => [
      row.provider,
      row.endpoint,
      row.streaming ? 'stream' : 'json',
      row.exact,
      row.refused,
      row.lost,
    ]),
    ['all', '', '', exact, refused, lostCount],
  ])
  const reasons = Object.entries(tally.reasons).map(([name, count]) => `  ${String(count).padStart(4)}  ${name}`)
  const blocks = [
    table,
    ...(reasons.length > 0 ? [`refused, by the reason\n${reasons.join('\n')}`] : []),
    ...(lost.length > 0 ? [`lost\n${lost.map((line) => `  ${line}`).join('\n')}`] : []),
    `${tally.total} exchanges: ${exact} exact, ${refused} refused, ${lostCount} lost, ${tally.skipped} skipped (endpoints not in scope)`,
  ]
  return blocks.join('\n\n')
}
