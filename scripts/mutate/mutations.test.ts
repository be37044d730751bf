import type { JsonObject } from '@retake/trace'
import { expect, test } from 'vitest'
import { mutationsOf, patternOf } from './mutations.ts'

const list = (document: JsonObject) =>
  [...mutationsOf(document)].map(({ kind, path, document: changed }) => [
    kind,
    patternOf(path),
    JSON.stringify(changed),
  ])

test('every leaf is changed, given another type and taken away; every object gets a member', () => {
  expect(list({ a: 'xyz', b: { c: null } })).toEqual([
    ['added', 'retake_unknown', '{"a":"xyz","b":{"c":null},"retake_unknown":"x"}'],
    ['removed', 'a', '{"b":{"c":null}}'],
    ['retyped', 'a', '{"a":1,"b":{"c":null}}'],
    ['changed', 'a', '{"a":"xqz","b":{"c":null}}'],
    ['removed', 'b', '{"a":"xyz"}'],
    ['retyped', 'b', '{"a":"xyz","b":1}'],
    ['added', 'b.retake_unknown', '{"a":"xyz","b":{"c":null,"retake_unknown":"x"}}'],
    ['removed', 'b.c', '{"a":"xyz","b":{}}'],
    ['retyped', 'b.c', '{"a":"xyz","b":{"c":"x"}}'],
    ['changed', 'b.c', '{"a":"xyz","b":{"c":1}}'],
  ])
})

test('neighbours that differ are swapped, numbers are one more, flags are turned', () => {
  const swapped = list({ a: [1, 1, true] })
  expect(swapped.filter(([kind]) => kind === 'swapped')).toEqual([['swapped', 'a', '{"a":[1,true,1]}']])
  expect(swapped.filter(([kind]) => kind === 'changed')).toEqual([
    ['changed', 'a[*]', '{"a":[2,1,true]}'],
    ['changed', 'a[*]', '{"a":[1,2,true]}'],
    ['changed', 'a[*]', '{"a":[1,1,false]}'],
  ])
})
