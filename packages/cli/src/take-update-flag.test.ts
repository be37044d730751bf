import { expect, test } from 'vitest'
import { takeUpdateFlag } from './take-update-flag.ts'

test.each([
  [['run', 'refund'], ['run', 'refund'], undefined],
  [['--update-cassettes', 'refund'], ['refund'], 'update'],
  [['run', '--update-cassettes=review', '-t', 'x'], ['run', '-t', 'x'], 'review'],
  [['--update-cassettes='], [], 'update'],
  [['--update-cassettes-not'], ['--update-cassettes-not'], undefined],
  [['run', '--', '--update-cassettes'], ['run', '--', '--update-cassettes'], undefined],
])('%j', (args, rest, flag) => {
  expect(takeUpdateFlag(args)).toEqual({ rest, flag })
})
