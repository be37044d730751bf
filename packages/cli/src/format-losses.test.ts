import { expect, test } from 'vitest'
import { formatLosses } from './format-losses.ts'

test('losses of one kind are one line, with the first place and their number', () => {
  const lost = [
    { where: 'step 0', what: 'the model that is asked' },
    { where: 'step 1', what: 'the model that answered' },
    { where: 'step 4', what: 'the model that is asked' },
    { where: 'step 4', what: 'the model that is asked' },
    { where: '', what: 'the id of the run is made anew' },
  ]
  expect(formatLosses(lost)).toEqual([
    'step 0: the model that is asked (2 places)',
    'step 1: the model that answered',
    'the id of the run is made anew',
  ])
})
