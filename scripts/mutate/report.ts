import { faultsOf, type Tried } from './try-run.ts'

interface Row {
  wire: string
  change: string
  /** How often there was something to change. */
  applicable: number
  right: number
}

/** What `--json` prints. */
export interface Report {
  applicable: number
  right: number
  rows: Row[]
  faults: { wire: string; change: string; where: string; verdict: string; message?: string }[]
}

/** Counts by wire and change, in alphabetical order of the wires. */
export const toReport = (tried: readonly Tried[]): Report => {
  const groups = Map.groupBy(tried, ({ wire, change }) => `${wire} ${change}`)
  const rows = [...groups.values()].map((group): Row => {
    const { wire = '', change = '' } = group[0] ?? {}
    return { wire, change, applicable: group.length, right: group.length - faultsOf(group).length }
  })
  const faults = faultsOf(tried)
  return {
    applicable: tried.length,
    right: tried.length - faults.length,
    rows: rows.sort((one, other) => (one.wire < other.wire ? -1 : one.wire > other.wire ? 1 : 0)),
    faults: faults.map(({ run, turn, ...fault }) => ({ ...fault, where: `${run} turn ${turn}` })),
  }
}

export const renderTried = ({ applicable, right, rows, faults }: Report): string => {
  const [wires, changes] = [rows.map(({ wire }) => wire.length), rows.map(({ change }) => change.length)]
  const [wide, next] = [Math.max(4, ...wires), Math.max(6, ...changes)]
  const line = (wire: string, change: string, one: string | number, other: string | number) =>
    `${wire.padEnd(wide)}  ${change.padEnd(next)}  ${String(one).padStart(10)}  ${String(other).padStart(7)}`
  return [
    line('wire', 'change', 'applicable', 'right'),
    ...rows.map((row) => line(row.wire, row.change, row.applicable, row.right)),
    ...faults.map(({ wire, change, where, verdict, message }) =>
      [``, `${verdict}: ${wire}, ${change}: ${where}`, ...(message === undefined ? [] : [message])].join('\n'),
    ),
    '',
    `${applicable} applicable changes: ${right} judged rightly, ${faults.length} not`,
  ].join('\n')
}
