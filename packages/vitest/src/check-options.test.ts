import { ConfigError } from '@retake/trace'
import { expect, test } from 'vitest'
import { checkOptions } from './check-options.ts'

test('options that exist pass, and so does undefined', () => {
  checkOptions('useCassette()', {
    name: 'late order',
    mode: 'update',
    allow: ['localhost', /^api\./],
    format: undefined,
  })
  checkOptions('retake()', { dir: '__runs__', match: 'sequence', allowUnused: true, maxLiveRequests: 3 })
})

test('an unknown option is named, with those that exist', () => {
  expect(() => checkOptions('useCassette()', { nmae: 'late order' })).toThrow(
    /^useCassette\(\) has no option "nmae"; it takes allow, allowUnused, .*name$/,
  )
  expect(() => checkOptions('useCassette()', { toString: 1 })).toThrow('has no option "toString"')
})

test('a name is no default of the plugin, and dir none of a test', () => {
  expect(() => checkOptions('retake()', { name: 'x' })).toThrow(ConfigError)
  expect(() => checkOptions('useCassette()', { dir: 'x' })).toThrow(ConfigError)
})

test.each([
  ['mode', 'record', "'auto' or 'replay' or 'update' or 'off'"],
  ['match', 'loose', "'strict' or 'sequence'"],
  ['name', ' ', 'a text that is not empty'],
  ['allow', 'localhost', 'a list of texts and regular expressions'],
  ['allowUnused', 1, 'true or false'],
  ['maxLiveRequests', 1.5, 'a whole number'],
])('%s: %j is refused', (option, value, what) => {
  expect(() => checkOptions('useCassette()', { [option]: value })).toThrow(`useCassette(): ${option} must be ${what}`)
})
