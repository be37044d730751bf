import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Row } from './rounds.ts'

/** Bytes of heap that stay for each of so many requests replayed through layer 1, in a process of their own. */
export const retainedHeap = (requests: number): number =>
  Number(
    execFileSync(process.execPath, ['--expose-gc', join(import.meta.dirname, 'retained-heap.ts'), String(requests)], {
      encoding: 'utf8',
    }),
  )

export const heapRows = (): Row[] => [
  { row: 'heap kept for a replayed fetch / 1 kB', ratio: retainedHeap(10_000) / 1000, limit: 1, rounds: 1 },
]
