import { expect, test } from 'vitest'
import { retainedHeap } from './heap-rows.ts'

// `npm run bench` replays 10 000.
test('a replayed request leaves less than 1 kB on the heap', () => {
  expect(retainedHeap(2000)).toBeLessThan(1000)
})
