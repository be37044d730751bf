import { loadTrace, type ModelInput, type Trace, TraceRecorder, type TraceStepType } from '@retake/trace'
import { expect, test } from 'vitest'
import { diffTraces, diffTracesSemantic } from './diff-traces.ts'

const corpus = (name: string): Trace =>
  loadTrace(new URL(`../../../test/corpus/blackbox/${name}.json`, import.meta.url).pathname)

const trace = (steps: [TraceStepType, unknown][], start = 0): Trace => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: start })
  for (const [nth, [type, payload]] of steps.entries()) recorder.append(type, payload, start + nth)
  return recorder.toTrace()
}

const asked = (...texts: string[]): [TraceStepType, ModelInput] => [
  'model_input',
  { messages: texts.map((content, at) => ({ role: at % 2 ? 'assistant' : 'user', content })), tools: [] },
]
const answered = (text: string): [TraceStepType, unknown] => ['model_output', { type: 'final_answer', text }]

// Divergence indexes as the format page demands: at the fork point, with mutations at the earliest of them.
test.each([
  ['fork-parent.v2', 'fork-child.v2', 3],
  ['triage-incident', 'triage-hypothesis', 5],
])('%s and %s part at step %i', (parent, child, index) => {
  for (const diff of [diffTraces(corpus(parent), corpus(child)), diffTracesSemantic(corpus(parent), corpus(child))]) {
    expect(diff).toMatchObject({
      sharedPrefixLength: index,
      hasDivergence: true,
      firstDivergenceIndex: index,
      parentStep: { index },
      childStep: { index },
      isParentStrictPrefixOfChild: false,
      isChildStrictPrefixOfParent: false,
    })
    expect(diff.differences[0]?.step).toBe(index)
  }
})

test('the changed leaves of a mutated tool result are listed', () => {
  const { differences } = diffTraces(corpus('triage-incident'), corpus('triage-hypothesis'))
  expect(differences.filter(({ step, path }) => step === 5 && path.startsWith('result'))).toEqual([
    { step: 5, path: 'result.data[0].dp.value', kind: 'changed', before: '91', after: '124' },
    expect.objectContaining({ path: 'result.data[0].dp.ts' }),
    expect.objectContaining({ path: 'result.data[1].dp.value', before: '84391200', after: '84433900' }),
    expect.objectContaining({ path: 'result.data[1].dp.ts' }),
    { step: 5, path: 'result.data[2].dp.value[0]', kind: 'added', after: 'P0217' },
    expect.objectContaining({ path: 'result.data[2].dp.ts' }),
  ])
})

test('a run does not differ from itself', () => {
  for (const diff of [diffTraces, diffTracesSemantic]) {
    expect(diff(corpus('success-tool-use.v2'), corpus('success-tool-use.v2'))).toMatchObject({
      sharedPrefixLength: 15,
      hasDivergence: false,
      firstDivergenceIndex: null,
      parentStep: null,
      childStep: null,
      differences: [],
    })
  }
})

test('times, hashes and the order of members are differences by hash only', () => {
  const one = trace([asked('hi'), answered('hello')])
  const other = trace([asked('hi'), ['model_output', { text: 'hello', type: 'final_answer' }]], 1_000)
  expect(diffTracesSemantic(one, other).hasDivergence).toBe(false)
  expect(diffTraces(one, other).differences).toEqual([
    { step: 0, path: 'timestamp', kind: 'changed', before: 0, after: 1_000 },
    { step: 1, path: 'timestamp', kind: 'changed', before: 1, after: 1_001 },
  ])
})

test('a run that goes on where the other ends has the other as its beginning', () => {
  const [short, long] = [trace([asked('hi')]), trace([asked('hi'), answered('hello')])]
  expect(diffTracesSemantic(short, long)).toMatchObject({
    isParentStrictPrefixOfChild: true,
    isChildStrictPrefixOfParent: false,
    firstDivergenceIndex: 1,
    parentStep: null,
    differences: [{ step: 1, path: '', kind: 'added', after: { type: 'final_answer', text: 'hello' } }],
  })
  expect(diffTracesSemantic(long, short)).toMatchObject({
    isParentStrictPrefixOfChild: false,
    isChildStrictPrefixOfParent: true,
    childStep: null,
    differences: [{ step: 1, path: '', kind: 'removed' }],
  })
})

test('a round in the middle is two steps more, and one message or two in the requests after it', () => {
  const before = trace([asked('a'), answered('A'), asked('a', 'A', 'c'), answered('C')])
  const after = trace([
    asked('a'),
    answered('A'),
    asked('a', 'A', 'b'),
    answered('B'),
    asked('a', 'A', 'b', 'B', 'c'),
    answered('C'),
  ])
  expect(diffTracesSemantic(before, after).differences).toEqual([
    { step: 2, path: '', kind: 'added', after: asked('a', 'A', 'b')[1] },
    { step: 3, path: '', kind: 'added', after: answered('B')[1] },
    { step: 4, path: 'messages[2]', kind: 'added', after: { role: 'user', content: 'b' } },
    { step: 4, path: 'messages[3]', kind: 'added', after: { role: 'assistant', content: 'B' } },
  ])
})

test('what a strict request comparison calls equal is still a difference of two runs', () => {
  const split = [{ type: 'text', text: 'a' }]
  const one = trace([['model_input', { messages: [{ role: 'user', content: 'a' }], tools: [] }]])
  const other = trace([['model_input', { messages: [{ role: 'user', content: split }], tools: [] }]])
  expect(diffTracesSemantic(one, other).differences).toEqual([
    { step: 0, path: 'messages[0].content', kind: 'changed', before: 'a', after: split },
  ])
})

const dialogue = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({
    role: nth % 2 ? 'assistant' : 'user',
    content: `message ${nth}, of which none is like another: ${nth * 7919}`,
  }))
const asking = (messages: object[]): Trace => trace([['model_input', { messages, tools: [] }]])

test('a message more or less at any place of a 40-message request is one difference there', () => {
  const messages = dialogue(40)
  const one = asking(messages)
  for (let at = 0; at <= 40; at++) {
    for (const role of ['user', 'assistant']) {
      const added = { role, content: 'Remember to be polite.' }
      const more = asking(messages.toSpliced(at, 0, added))
      for (const diff of [diffTraces, diffTracesSemantic]) {
        expect(diff(one, more).differences).toEqual([{ step: 0, path: `messages[${at}]`, kind: 'added', after: added }])
        expect(diff(more, one).differences).toEqual([
          { step: 0, path: `messages[${at}]`, kind: 'removed', before: added },
        ])
      }
    }
  }
})

test('semantically, nothing but times, ids and hashes may change', () => {
  const one = corpus('fork-parent.v2')
  const moved = new TraceRecorder({ id: 'other', createdAt: 7, parentId: 'p', forkedFromStepId: 'p:0' })
  for (const { type, payload, index } of one.steps) moved.append(type, payload, index * 13)
  expect(diffTracesSemantic(one, moved.toTrace())).toMatchObject({ hasDivergence: false, differences: [] })
  expect(diffTraces(one, moved.toTrace()).firstDivergenceIndex).toBe(1)
  for (const { index } of one.steps) {
    const changed = new TraceRecorder({ id: one.id, createdAt: 0 })
    for (const step of one.steps) {
      const payload = step.index === index ? { ...(step.payload as object), more: 1 } : step.payload
      changed.append(step.type, payload, step.timestamp)
    }
    const diff = diffTracesSemantic(one, changed.toTrace())
    expect(diff.firstDivergenceIndex).toBe(index)
    expect(diff.differences).toEqual([{ step: index, path: 'more', kind: 'added', after: 1 }])
  }
})

test('steps are side by side by their indexes', () => {
  const [short, long] = [trace([asked('a'), answered('A')]), trace([asked('a'), asked('b'), answered('A')])]
  expect(diffTracesSemantic(short, long).aligned).toEqual([
    { before: 0, after: 0, equal: true },
    { after: 1, equal: false },
    { before: 1, after: 2, equal: true },
  ])
})
