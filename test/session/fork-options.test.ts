import { readFileSync, writeFileSync } from 'node:fs'
import { modelInput, toolResult } from '@retake/session'
import { loadTrace, type Trace } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { chatLoop } from './chat-loop.ts'
import { type Fork, forks } from './forks.ts'
import { inTest, temporaryCassette } from './in-test.ts'

test.each<[string, Fork, RegExp]>([
  [
    'an index out of range',
    { at: 99, then: [] },
    /fork\.at is the index of one of the \d+ steps of its parent, not 99/,
  ],
  ['a tool that was not called', { at: toolResult('mail'), then: [] }, /these results: 3 of lookup, one of refund/],
  ['one result too far', { at: toolResult('refund', 2), then: [] }, /toolResult\("refund", 2\), but its parent has/],
  ['one request too far', { at: modelInput(9), then: [] }, /modelInput\(9\), but its parent has 3 requests/],
  ['something else', { at: 'refund' as never, then: [] }, /fork\.at must be the index of a step/],
  ['a result for a request', { at: 0, set: 1, then: [] }, /step 0, a model_input, which has no result to set/],
  ['a result and an error', { at: 3, set: 1, setError: 'x', then: [] }, /fork\.set or fork\.setError/],
  ['no list of replies', { at: 0, then: 'recorded' as never }, /fork\.then must be a list of replies/],
  ['a value JSON cannot hold', { at: 3, set: new Map() as never, then: [] }, /A Map in fork\.set cannot be stored/],
])('%s is refused, and the message says what there is', async (_, fork, message) => {
  await using run = await forks()
  await expect(run.fork(fork)).rejects.toThrow(message)
})

describe('where the parent lies', () => {
  const set = 'declined'
  const then = ['Declined.']

  test('the name of a cassette of the same file, or a path', async () => {
    await using run = await forks()
    const at = toolResult('refund')
    const child = run.path.replace('agent.cassette', 'what-if.cassette')
    for (const from of ['agent', run.path]) {
      const { result } = await inTest(child, { mode: 'update', fork: { from, at, set, then } }, (cassette) =>
        chatLoop(
          'http://127.0.0.1:9',
          cassette.tools({ lookup: async (_: object) => 'x', refund: async (_: object) => 'x' }),
        ),
      )
      expect(result).toMatchObject({ path: child, errors: [] })
    }
    expect(loadTrace(child).parentId).toBe(run.parentTrace().id)
  })

  test('one that is not there is missing, with those that are', async () => {
    await using run = await forks()
    const missing = run.fork({ from: 'refunds', at: 0, then })
    await expect(missing).rejects.toMatchObject({ code: 'RETAKE_CASSETTE_MISSING', details: { reason: 'parent' } })
    await expect(missing).rejects.toThrow(/there are agent/)
  })

  test('it is never written over', async () => {
    await using run = await forks()
    const before = readFileSync(run.path)
    await expect(run.fork({ from: 'agent', at: 0, then }, { mode: 'update' })).rejects.toThrow(/cannot take the place/)
    expect(readFileSync(run.path)).toEqual(before)
  })

  test('a broken one is refused', async () => {
    await using run = await forks()
    writeFileSync(run.path, readFileSync(run.path, 'utf8').replace('order 1', 'order 9'))
    await expect(run.fork({ at: 0, then })).rejects.toMatchObject({ code: 'RETAKE_CASSETTE_CORRUPT' })
  })
})

test('what is set is redacted in the file, and the agent of that run sees it', async () => {
  const redact = [/\d{4}/]
  await using run = await forks({ redact })
  const fork: Fork = { at: toolResult('refund'), set: 'card 1234', then: ['Declined.'] }
  expect((await run.fork(fork)).result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(readFileSync(run.child, 'utf8')).not.toContain('1234')
  expect((await run.fork(fork)).result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('the public fork comes out of its parent, to the hash, while an agent runs', async () => {
  const corpus = (name: string) => new URL(`../corpus/blackbox/${name}.json`, import.meta.url).pathname
  const [parent, expected] = ['triage-incident', 'triage-hypothesis'].map((name) => loadTrace(corpus(name))) as [
    Trace,
    Trace,
  ]
  const names = parent.steps.flatMap(({ type, payload }) => (type === 'tool_call' ? [Object(payload).toolName] : []))
  await using file = await temporaryCassette()
  const fork: Fork = {
    from: corpus('triage-incident'),
    at: 5,
    set: Object(expected.steps[5]?.payload).result,
    then: ['Done.'],
  }
  const { result } = await inTest(file.path, { fork, match: 'sequence' }, (cassette) =>
    chatLoop(
      'http://127.0.0.1:9',
      cassette.tools(Object.fromEntries(names.map((name) => [name, async (_: object) => 'new']))),
    ),
  )
  expect(result).toMatchObject({ kind: 'recorded', errors: [] })
  const child = loadTrace(file.path)
  expect(child.steps.slice(0, 6).map(({ hash }) => hash)).toEqual(expected.steps.slice(0, 6).map(({ hash }) => hash))
  const { parentId, forkedFromStepId, createdAt } = child
  expect({ parentId, forkedFromStepId, createdAt }).toEqual({
    parentId: expected.parentId,
    forkedFromStepId: expected.forkedFromStepId,
    createdAt: expected.createdAt,
  })
})
