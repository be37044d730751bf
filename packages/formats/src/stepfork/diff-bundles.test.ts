import { expect, test } from 'vitest'
import { bundleNames, bundlePath } from '../../test/corpus-bundles.ts'
import { parseTokens } from '../json/parse-tokens.ts'
import type { TokenObject } from '../json/tokens.ts'
import { diffStepfork } from './diff-bundles.ts'
import { loadStepfork } from './load-bundle.ts'

test.each(bundleNames)('%s equals itself', (name) => {
  const bundle = loadStepfork(bundlePath(name.replace('.sftrace', '')))
  expect(diffStepfork(bundle, bundle)).toEqual({ firstDivergence: null, differences: [] })
})

test('the public pair: every change of a field, ids and times left alone', () => {
  const [one, other] = [loadStepfork(bundlePath('diff_baseline')), loadStepfork(bundlePath('diff_changed'))]
  expect(diffStepfork(one, other)).toEqual({
    firstDivergence: 0,
    differences: [
      { step: 0, path: 'output.price', kind: 'changed', before: 320, after: 450 },
      { step: 0, path: 'output.selected_flight', kind: 'changed', before: 'B', after: 'A' },
      { step: 1, path: 'output.selected_flight', kind: 'changed', before: 'B', after: 'A' },
    ],
  })
})

const withOutput = (text: string) => {
  const bundle = loadStepfork(bundlePath('diff_baseline'))
  bundle.events[2]?.set('output', parseTokens(text))
  return bundle
}

test('1 and 1.0 are two values, told as they are written; members and items come and go', () => {
  const { differences } = diffStepfork(
    withOutput('{"n":1,"list":[1,2],"gone":0,"a.b":1}'),
    withOutput('{"n":1.0,"list":[1,2,3],"new":0,"a.b":2}'),
  )
  expect(differences).toEqual([
    { step: 0, path: 'output["a.b"]', kind: 'changed', before: 1, after: 2 },
    { step: 0, path: 'output.gone', kind: 'removed', before: 0 },
    { step: 0, path: 'output.list[2]', kind: 'added', after: 3 },
    { step: 0, path: 'output.n', kind: 'changed', before: '1', after: '1.0' },
    { step: 0, path: 'output.new', kind: 'added', after: 0 },
  ])
})

test('an error before the end is one added step, and the ends are compared with each other', () => {
  const [one, other] = [loadStepfork(bundlePath('diff_baseline')), loadStepfork(bundlePath('diff_baseline'))]
  const error = parseTokens(
    '{"id":"e","run_id":"r","step":3,"type":"error","timestamp":"2026-01-01T00:00:00Z","error_type":"E","message":"m"}',
  ) as TokenObject
  other.events.splice(3, 0, error)
  expect(diffStepfork(one, other)).toEqual({
    firstDivergence: 1,
    differences: [{ step: 1, path: '', kind: 'added', after: { type: 'error', label: 'E' } }],
  })
})
