import { expect, test } from 'vitest'
import { readEnvironment } from './environment.ts'

test.each([
  ['RETAKE_FORK_AT', '01', 'RETAKE_FORK_AT must be the index of a step: 0, 1, 2 …'],
  ['RETAKE_FORK_AT', '-1', 'RETAKE_FORK_AT must be the index of a step: 0, 1, 2 …'],
  ['RETAKE_FORK_SET', 'secret', 'RETAKE_FORK_SET must be JSON'],
  ['RETAKE_MATCH', 'secret', 'RETAKE_MATCH must be "strict" or "sequence"'],
  ['RETAKE_CONTINUE', 'secret', 'RETAKE_CONTINUE must be "live" or "script"'],
])('%s=%s is refused by its name, without its value', (name, value, message) => {
  expect(() => readEnvironment({ [name]: value })).toThrow(expect.objectContaining({ code: 'RETAKE_CONFIG', message }))
})

test('an empty variable counts as unset, and modes of tests are none of the launcher', () => {
  const names = ['CASSETTE', 'OUT', 'ID', 'FORK_AT', 'FORK_SET', 'CONTINUE', 'SCRIPT', 'MATCH', 'COMMAND', 'REPORT']
  expect(readEnvironment(Object.fromEntries(names.map((name) => [`RETAKE_${name}`, ''])))).toEqual({})
  expect(readEnvironment({ RETAKE: 'replay' })).toEqual({})
  expect(readEnvironment({ RETAKE: 'fork', RETAKE_FORK_AT: '0', RETAKE_FORK_SET: 'null' })).toEqual({
    launch: 'fork',
    forkAt: 0,
    forkSet: null,
  })
})
