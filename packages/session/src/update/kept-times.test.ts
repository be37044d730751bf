import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keepTimes } from './kept-times.ts'

describe('a run of one call after the other', () => {
  test('what changed stands between what did not', () => {
    expect(keepTimes([0, 5, 5, 9, 9, 14], [0, 800, 801, undefined, 1600, 2000], 3)).toEqual([
      0, 800, 801, 805, 1600, 2000,
    ])
  })

  test('a step that took longer ends where the next one that is kept begins', () => {
    expect(keepTimes([0, 10, 5000, 5000, 6000], [0, 10, undefined, 30, 40], 2)).toEqual([0, 10, 30, 30, 40])
  })

  test('behind the last kept step the new run goes on at its own pace', () => {
    expect(keepTimes([0, 10, 30, 70], [0, 100, undefined, undefined], 2)).toEqual([0, 100, 120, 160])
  })

  test('nothing is kept of a run that is new altogether', () => {
    expect(keepTimes([0, 3, 9], [undefined, undefined, undefined], 0)).toEqual([0, 3, 9])
  })

  test('kept times that contradict each other are kept at the beginning only', () => {
    expect(keepTimes([0, 5, 6, 7], [0, 900, undefined, 800], 2)).toEqual([0, 900, 901, 902])
  })
})

describe('calls beside each other', () => {
  // Requests at 0 and 1, their replies at 50 and 40.
  const recorded = [0, 50, 1, 40, 60, 70]

  test('the new run goes on where the kept beginning was over', () => {
    expect(keepTimes(recorded, [0, 800, 100, 300, undefined, 950], 4)).toEqual([0, 800, 100, 300, 810, 820])
  })

  test('a beginning that would tell another order is not kept', () => {
    // Moved behind the kept beginning, the second request would come after the first reply.
    expect(keepTimes(recorded, [0, 800, undefined, undefined, undefined, undefined], 2)).toEqual([
      0, 800, 751, 790, 810, 820,
    ])
    expect(keepTimes([0, 50, 1, 40], [900, 0, undefined, undefined], 2)).toEqual([0, 50, 1, 40])
  })
})

test('a sequential run stays one, and what is kept is exact where it can be', () => {
  const rising = fc.array(fc.nat(1000), { minLength: 1, maxLength: 12 }).map((steps) => {
    let at = 0
    return steps.map((step) => {
      at += step
      return at
    })
  })
  fc.assert(
    fc.property(rising, rising, fc.array(fc.boolean()), fc.nat(12), (recorded, old, chosen, some) => {
      const shared = Math.min(some, old.length, recorded.length)
      const kept = recorded.map((_, step) => (step < shared || chosen[step] ? old[step] : undefined))
      const times = keepTimes(recorded, kept, shared)
      expect(times).toHaveLength(recorded.length)
      for (const [step, time] of times.entries()) {
        expect(time).toBeGreaterThanOrEqual(times[step - 1] ?? 0)
        if (kept[step] !== undefined) expect(time).toBe(kept[step])
      }
    }),
  )
})
