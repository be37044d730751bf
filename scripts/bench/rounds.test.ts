import { verifyTrace } from '@retake/trace'
import { expect, test } from 'vitest'
import { makeRun } from './agent-run.ts'
import { median, medianRatio } from './rounds.ts'

test('a median is the middle, or the mean of the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([10, 1, 2, 3])).toBe(2.5)
})

test('both sides work in every round, and what they prepare is not forgotten', async () => {
  const done: string[] = []
  const side = (name: string) => ({ before: () => done.push(`before ${name}`), work: () => done.push(name) })
  const ratio = await medianRatio(side('one'), side('other'), 2)
  expect(ratio).toBeGreaterThan(0)
  expect(done[0]).toMatch(/^before /)
  for (const name of ['one', 'other']) {
    expect(done.filter((entry) => entry === name).length).toBeGreaterThanOrEqual(5)
    expect(done.filter((entry) => entry === name)).toHaveLength(
      done.filter((entry) => entry === `before ${name}`).length,
    )
  }
})

test('the runs that are measured verify, and are the same each time', () => {
  for (const shape of [{ turns: 12 }, { turns: 12, coding: true, window: 6 }, { turns: 3, state: true }]) {
    const run = makeRun(shape)
    expect(verifyTrace(run)).toMatchObject({ pass: true })
    expect(makeRun(shape)).toEqual(run)
    expect(run.steps.filter(({ type }) => type === 'model_input')).toHaveLength(shape.turns)
  }
})
