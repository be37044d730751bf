import { describe, expect, test } from 'vitest'
import { duplicateOf, titlesOf } from './task-test.ts'

const twins = 'of two tests of the same titles'

test(`${twins}, the first is number 1`, ({ task }) => {
  expect(titlesOf(task)).toEqual([`${twins}, the first is number 1`])
  expect(duplicateOf(task)).toBe(1)
})

// biome-ignore lint/suspicious/noIdenticalTestTitle: equal titles are what this is about
describe('a group', () => {
  describe('a group in it', () => {
    test('titles start at the outermost group', ({ task }) => {
      expect(titlesOf(task)).toEqual(['a group', 'a group in it', 'titles start at the outermost group'])
    })
  })

  test('an equal title counts', ({ task }) => {
    expect(duplicateOf(task)).toBe(1)
  })

  test.for([1, 1])('case %i counts in the order of definition', (_value, { task }) => {
    const place = task.suite?.tasks.filter(({ name }) => name === task.name).indexOf(task) ?? -1
    expect(place).toBeGreaterThanOrEqual(0)
    expect(duplicateOf(task)).toBe(place + 1)
  })
})

describe('another group', () => {
  test('an equal title counts', ({ task }) => {
    expect(duplicateOf(task)).toBe(1)
  })
})

describe('a group', () => {
  test('an equal title counts', ({ task }) => {
    expect(titlesOf(task)).toEqual(['a group', 'an equal title counts'])
    expect(duplicateOf(task)).toBe(2)
  })
})
