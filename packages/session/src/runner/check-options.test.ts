import { ConfigError } from '@retake/trace'
import { expect, test } from 'vitest'
import { checkOptions } from './check-options.ts'

test('options that exist pass, and so does undefined', () => {
  checkOptions('useCassette()', {
    name: 'late order',
    mode: 'update',
    allow: ['localhost', /^api\./],
    format: undefined,
    ignore: ['params.temperature'],
    providers: [{ url: 'https://llm.test/generate', wire: 'openai.chat' }],
    normalize: (request: object) => request,
    redact: [/x/, 'systemPrompt', (text: string) => text],
  })
  checkOptions('retake()', { dir: '__runs__', match: 'sequence', allowUnused: true, maxLiveRequests: 3 })
})

test('an unknown option is named, with those that exist', () => {
  expect(() => checkOptions('useCassette()', { nmae: 'late order' })).toThrow(
    /^useCassette\(\) has no option "nmae"; it takes allow, allowUnused, .*name, .*redact, script, tools$/,
  )
  expect(() => checkOptions('useCassette()', { toString: 1 })).toThrow('has no option "toString"')
})

test('a name is no default of the plugin, and dir none of a test', () => {
  expect(() => checkOptions('retake()', { name: 'x' })).toThrow(ConfigError)
  expect(() => checkOptions('useCassette()', { dir: 'x' })).toThrow(ConfigError)
})

test('the plugin takes no functions, since they do not reach the workers', () => {
  checkOptions('retake()', { redact: [/x/, 'systemPrompt'] })
  for (const options of [{ redact: [String] }, { normalize: String }]) {
    expect(() => checkOptions('retake()', options)).toThrow('does not reach the workers')
  }
})

test.each([
  ['mode', 'record', "'auto' or 'replay' or 'update' or 'off'"],
  ['match', 'loose', "'strict' or 'sequence'"],
  ['name', ' ', 'a text that is not empty'],
  ['providers', [{ url: 'https://llm.test/generate' }], 'a list of { url, wire }, both texts'],
  ['allow', 'localhost', 'a list of texts and regular expressions'],
  ['allowUnused', 1, 'true or false'],
  ['maxLiveRequests', 1.5, 'a whole number'],
  ['ignore', ['model', /x/], 'a list of request paths'],
  ['normalize', 'model', 'a function'],
  ['redact', [1], 'a list of regular expressions, paths and functions'],
])('%s: %j is refused', (option, value, what) => {
  expect(() => checkOptions('useCassette()', { [option]: value })).toThrow(`useCassette(): ${option} must be ${what}`)
})
