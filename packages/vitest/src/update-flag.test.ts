import { ConfigError } from '@retake/trace'
import { expect, test } from 'vitest'
import type { Vitest } from 'vitest/node'
import { readUpdateFlag } from './update-flag.ts'

// What Vitest 4.1 and 5.1 make of each spelling.
const vitest = (update: unknown, rest: string[] = []) => {
  const mode = update ? 'all' : 'new'
  return {
    config: { update, '--': rest, snapshotOptions: { updateSnapshot: mode } },
    snapshot: { options: { updateSnapshot: mode } },
  } as unknown as Vitest
}
const read = (instance: Vitest, argv: string[] = [], env = {}, ci = false) =>
  readUpdateFlag(instance, { argv, env, ci })

test('nothing said is no flag', () => {
  expect(read(vitest(false))).toBeUndefined()
  expect(read(vitest(true), ['-u'])).toBeUndefined()
  expect(read(vitest(false, ['refund']))).toBeUndefined()
})

test('RETAKE_FLAG comes from the command line too', () => {
  expect(read(vitest(false), [], { RETAKE_FLAG: 'update' })).toBe('update')
  expect(read(vitest(false), [], { RETAKE_FLAG: '' })).toBeUndefined()
})

test('arguments after -- count', () => {
  expect(read(vitest(false, ['--update-cassettes']))).toBe('update')
  expect(read(vitest(false, ['refund', '--update-cassettes=review']))).toBe('review')
})

test('--update.cassettes leaves the snapshots alone', () => {
  const instance = vitest({ cassettes: true })
  expect(read(instance, ['--update.cassettes'])).toBe('update')
  expect(instance.config.update).toBe(false)
  expect(instance.config.snapshotOptions.updateSnapshot).toBe('new')
  expect(instance.snapshot.options.updateSnapshot).toBe('new')
})

test('--update.cassettes under CI still writes no snapshot', () => {
  const instance = vitest({ cassettes: true })
  read(instance, ['--update.cassettes'], {}, true)
  expect(instance.config.snapshotOptions.updateSnapshot).toBe('none')
})

test('-u beside it updates both', () => {
  const instance = vitest(true)
  expect(read(instance, ['-u', '--update.cassettes'])).toBe('update')
  expect(instance.config.snapshotOptions.updateSnapshot).toBe('all')
})

test('a value of the flag is passed on, and false is none', () => {
  expect(read(vitest({ cassettes: 'review' }), ['--update.cassettes=review'])).toBe('review')
  expect(read(vitest({ cassettes: false }), ['--no-update.cassettes'])).toBeUndefined()
})

test('a file name that Vitest took for the value is refused', () => {
  const instance = vitest({ cassettes: 'refund.test.ts' })
  expect(() => read(instance, ['--update.cassettes', 'refund.test.ts'])).toThrow(ConfigError)
})
