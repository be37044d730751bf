import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { diffTraces } from '@retake/compare'
import { type Cassette, type CassetteOptions, modelInput, type ScriptedReply, toolResult } from '@retake/session'
import { loadTrace, type Trace, terminalOutcome, verifyFile } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { chatCall, chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { chatLoop, toolScript } from './chat-loop.ts'
import { inTest, temporaryCassette } from './in-test.ts'

const lookup = (n: number) => chatCall(`call_${n}`, 'lookup', { n })
const refund = (n: number) => chatCall(`call_r${n}`, 'refund', { n })

type Fork = NonNullable<CassetteOptions['fork']>

/** An agent whose model looks three orders up at once, refunds one, and answers with all results. */
const turns = [[lookup(1), lookup(2), lookup(3)], [refund(2)]]
const results = { lookup: (n: number): unknown => `order ${n}`, refund: (n: number): unknown => `refunded ${n}` }

/** Records the parent, stops its provider, and gives what forks it. */
async function forks(options: CassetteOptions = {}) {
  const file = await temporaryCassette()
  const runs: string[] = []
  const agent = (url: string) => (cassette: Cassette) =>
    chatLoop(
      url,
      cassette.tools({
        lookup: async ({ n }: { n: number }) => {
          runs.push(`lookup ${n}`)
          return results.lookup(n)
        },
        refund: async ({ n }: { n: number }) => {
          runs.push(`refund ${n}`)
          return results.refund(n)
        },
      }),
    )
  const provider = await startFakeProvider({ replies: toolScript(...turns) })
  await inTest(file.path, options, agent(provider.url))
  await provider.stop()
  runs.length = 0
  const child = file.path.replace('.cassette.json', '.fork.cassette.json')
  return {
    path: file.path,
    child,
    runs,
    parentTrace: () => loadTrace(file.path),
    childTrace: () => loadTrace(child),
    fork: (fork: Fork, more: CassetteOptions = {}, url = provider.url) =>
      inTest(file.path, { ...options, ...more, fork }, agent(url)),
    [Symbol.asyncDispose]: file[Symbol.asyncDispose],
  }
}

const stepOf = ({ steps }: Trace, toolName: string, nth: number): number =>
  steps.filter(
    ({ type, payload }) => type === 'tool_result' && (payload as { toolName: string }).toolName === toolName,
  )[nth - 1]?.index ?? -1

describe('Fork Policy', () => {
  test('the fork point is a tool_result step; steps 0 … N-1 are copied verbatim, with times, ids and hashes', async () => {
    await using run = await forks()
    const at = stepOf(run.parentTrace(), 'lookup', 2)
    const { result } = await run.fork({ at, set: 'lost', then: ['Order 2 is lost.'] })
    expect(result).toMatchObject({ kind: 'recorded', liveCalls: 0, errors: [] })
    expect(run.childTrace().steps.slice(0, at)).toEqual(run.parentTrace().steps.slice(0, at))
  })

  test('at N, a tool_result with the same toolCallId and toolName, the replacement result, and the time of the parent', async () => {
    await using run = await forks()
    const at = stepOf(run.parentTrace(), 'lookup', 2)
    await run.fork({ at, set: { state: 'lost' }, then: ['Order 2 is lost.'] })
    const [before, after] = [run.parentTrace().steps[at], run.childTrace().steps[at]]
    expect(after).toMatchObject({ index: at, type: 'tool_result', timestamp: before?.timestamp })
    const { toolCallId, toolName } = Object(before?.payload)
    expect(after?.payload).toEqual({ toolCallId, toolName, result: { state: 'lost' } })
  })

  test('after that, whatever the run did next: its own model calls and tool steps', async () => {
    await using run = await forks()
    const at = stepOf(run.parentTrace(), 'lookup', 2)
    await run.fork({ at, set: 'lost', then: [{ toolName: 'refund', toolInput: { n: 1 } }, 'Done.'] })
    expect(run.runs).toEqual(['lookup 3', 'refund 1'])
    const { steps } = run.childTrace()
    expect(steps.slice(at + 1).map(({ type, payload }) => [type, (payload as { toolName?: string }).toolName])).toEqual(
      [
        ['tool_call', 'lookup'],
        ['tool_result', 'lookup'],
        ['model_input', undefined],
        ['model_output', undefined],
        ['tool_call', 'refund'],
        ['tool_result', 'refund'],
        ['model_input', undefined],
        ['model_output', undefined],
        ['metadata', undefined],
      ],
    )
    // Fork page, "Structured reconstruction": new ids follow those of the prefix.
    expect(steps.at(-6)?.payload).toEqual({
      type: 'tool_calls',
      calls: [{ toolCallId: 'call-3', toolName: 'refund', toolInput: { n: 1 } }],
    })
    expect(terminalOutcome(run.childTrace())).toEqual({ status: 'success', result: 'Done.' })
  })

  test('parentId and forkedFromStepId point back at the parent run and step, and the child was created with it', async () => {
    await using run = await forks()
    await run.fork({ at: toolResult('lookup', 3), set: null, then: ['?'] })
    const [parent, child] = [run.parentTrace(), run.childTrace()]
    const at = stepOf(parent, 'lookup', 3)
    expect(child).toMatchObject({
      parentId: parent.id,
      forkedFromStepId: parent.steps[at]?.id,
      createdAt: parent.createdAt,
    })
    expect(child.id).not.toBe(parent.id)
  })

  test("the first divergent step's prevHash equals the hash of the last shared step", async () => {
    await using run = await forks()
    await run.fork({ at: toolResult('refund'), set: 'declined', then: ['Declined.'] })
    const at = stepOf(run.parentTrace(), 'refund', 1)
    expect(run.childTrace().steps[at]?.prevHash).toBe(run.parentTrace().steps[at - 1]?.hash)
    expect(verifyFile(run.child).pass).toBe(true)
  })

  test('Fork-Point Semantics by Step Type: a child diverges at exactly N, for every N but a metadata step', async () => {
    await using run = await forks()
    const parent = run.parentTrace()
    for (const { index: at, type } of parent.steps) {
      const then: ScriptedReply[] = ['The end.']
      const fork: Fork = type === 'tool_result' ? { at, set: `other ${at}`, then } : { at, then }
      if (type === 'metadata') {
        await expect(run.fork(fork, { mode: 'update' })).rejects.toThrow(/metadata step, from which no run goes on/)
        continue
      }
      const { result } = await run.fork(fork, { mode: 'update' })
      expect(result).toMatchObject({ errors: [], liveCalls: 0 })
      const diff = diffTraces(parent, run.childTrace())
      expect([type, at, diff.firstDivergenceIndex]).toEqual([type, at, at])
      expect(verifyFile(run.child).pass).toBe(true)
      expect(run.childTrace().forkedFromStepId).toBe(parent.steps[at]?.id)
      const { result: again } = await run.fork(fork)
      expect(again).toMatchObject({ kind: 'replayed', errors: [], unused: 0 })
    }
  })

  test('with --match sequence the requests are not compared: the prefix is copied as recorded', async () => {
    await using run = await forks()
    const before = run.parentTrace()
    const fork: Fork = { at: toolResult('refund'), set: 'declined', then: ['Declined.'] }
    const other = (url: string) => (cassette: Cassette) =>
      chatLoop(url, cassette.tools({ lookup: async (_: object) => 'no', refund: async (_: object) => 'no' }), {
        question: 'Another question.',
      })
    const strict = await inTest(run.path, { fork }, other('http://127.0.0.1:9')).catch((error: Error) => error)
    expect(String(strict)).toContain('[retake]')
    expect(existsSync(run.child)).toBe(false)
    const { result } = await inTest(run.path, { fork, match: 'sequence' }, other('http://127.0.0.1:9'))
    expect(result).toMatchObject({ kind: 'recorded', errors: [] })
    const at = stepOf(before, 'refund', 1)
    expect(run.childTrace().steps.slice(0, at)).toEqual(before.steps.slice(0, at))
  })
})

describe('what a tool gives at the fork point', () => {
  test.each<[string, Partial<Fork>, string]>([
    ['a value', { set: { late: true } }, '{"late":true}'],
    ['null', { set: null }, 'null'],
    ['an error', { setError: new RangeError('no such order') }, 'failed: RangeError: no such order'],
    ['the message of an error', { setError: 'no such order' }, 'failed: Error: no such order'],
    ['what it gives now', {}, 'refunded 2'],
  ])('%s', async (_, given, seen) => {
    await using run = await forks()
    const fork: Fork = { at: toolResult('refund'), then: ['So be it.'], ...given }
    await run.fork(fork)
    const { messages } = Object(run.childTrace().steps.findLast(({ type }) => type === 'model_input')?.payload)
    expect(messages.at(-1)?.content).toMatchObject([{ type: 'tool_result', result: seen }])
    expect(run.runs).toEqual(Object.keys(given).length === 0 ? ['refund 2'] : [])
    const again = await run.fork(fork)
    expect(again.result).toMatchObject({ kind: 'replayed', errors: [] })
  })
})

describe('live', () => {
  test('the provider is asked from the fork point on, and only then; the second run is offline', async () => {
    await using run = await forks()
    await using provider = await startFakeProvider({ replies: [chatReply({ content: 'A human will help.' })] })
    const fork: Fork = { at: toolResult('refund'), set: 'declined', then: 'live' }
    const { value, result } = await run.fork(fork, {}, provider.url)
    expect(value).toBe('A human will help.')
    expect(result).toMatchObject({ kind: 'recorded', liveCalls: 1, replayedCalls: 2, errors: [] })
    expect(provider.requests).toHaveLength(1)
    expect(provider.requests[0]?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: 'declined' })
    const again = await run.fork(fork)
    expect(again).toMatchObject({ value, result: { kind: 'replayed', liveCalls: 0, errors: [] } })
  })

  test('nobody is asked where nothing may be recorded', async () => {
    await using run = await forks()
    const fork: Fork = { at: toolResult('refund'), set: 'declined', then: 'live' }
    await expect(run.fork(fork, { mode: 'replay' })).rejects.toMatchObject({ code: 'RETAKE_CASSETTE_MISSING' })
    const scripted = await run.fork({ ...fork, then: ['Declined.'] }, { mode: 'replay' })
    expect(scripted).toMatchObject({ value: 'Declined.', result: { kind: 'scripted', errors: [] } })
    expect(existsSync(run.child)).toBe(false)
  })
})

describe('a recorded fork is out of date', () => {
  const fork: Fork = { at: toolResult('refund'), set: 'declined', then: ['Declined.'] }

  test.each<[string, Partial<Fork>, RegExp]>([
    ['with another result', { set: 'lost' }, /the tool is to give something else at the fork point/],
    ['at another step', { at: toolResult('lookup', 2) }, /it was forked at another step/],
    ['with another script', { then: ['Refused.'] }, /reply 1 of the script is another/],
    ['with a longer script', { then: ['Declined.', 'Sorry.'] }, /the script is longer than it was: reply 2/],
    ['with a shorter script', { then: [] }, /the script is shorter than it was/],
  ])('%s', async (_, change, reason) => {
    await using run = await forks()
    await run.fork(fork)
    const before = readFileSync(run.child)
    const stale = run.fork({ ...fork, ...change })
    await expect(stale).rejects.toMatchObject({ code: 'RETAKE_FORK_STALE' })
    await expect(stale).rejects.toThrow(reason)
    expect(readFileSync(run.child)).toEqual(before)
  })

  test('with an error instead', async () => {
    await using run = await forks()
    await run.fork(fork)
    const { set: _, ...rest } = fork
    await expect(run.fork({ ...rest, setError: 'down' })).rejects.toThrow(/the tool is to give something else/)
  })

  test('when its parent has changed, and an update forks anew', async () => {
    await using run = await forks()
    await run.fork(fork)
    const parentText = readFileSync(run.path, 'utf8')
    await using provider = await startFakeProvider({ replies: toolScript([lookup(1)], [refund(2)]) })
    await inTest(run.path, { mode: 'update' }, (cassette) =>
      chatLoop(
        provider.url,
        cassette.tools({ lookup: async ({ n }: { n: number }) => n, refund: async ({ n }: { n: number }) => n }),
      ),
    )
    expect(readFileSync(run.path, 'utf8')).not.toBe(parentText)
    const stale = run.fork(fork)
    await expect(stale).rejects.toMatchObject({ code: 'RETAKE_FORK_STALE', details: { step: 1 } })
    await expect(stale).rejects.toThrow(/its parent has changed at step 1/)
    const updated = await run.fork(fork, { mode: 'update' })
    expect(updated.result).toMatchObject({ kind: 'updated', errors: [] })
    const at = stepOf(run.parentTrace(), 'refund', 1)
    expect(run.childTrace().steps.slice(0, at)).toEqual(run.parentTrace().steps.slice(0, at))
    expect((await run.fork(fork)).result).toMatchObject({ kind: 'replayed', errors: [] })
  })

  test('an update that says the same leaves the file alone', async () => {
    await using run = await forks()
    await run.fork(fork)
    const before = readFileSync(run.child)
    expect((await run.fork(fork, { mode: 'update' })).result.kind).toBe('unchanged')
    expect(readFileSync(run.child)).toEqual(before)
  })
})

describe('a run that does not come to its fork point', () => {
  test('fails when it ends before', async () => {
    await using run = await forks()
    const fork: Fork = { at: toolResult('refund'), set: 'declined', then: ['x'] }
    const { result } = await inTest(run.path, { fork }, async () => 'nothing')
    expect(result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_UNUSED_STEPS' }] })
    expect(result.errors[0]?.message).toMatch(/ended before the fork point, step \d+, the result of "refund"/)
    expect(existsSync(run.child)).toBe(false)
  })

  test('fails when it goes on without calling the tool', async () => {
    await using run = await forks()
    const fork: Fork = { at: toolResult('refund'), set: 'declined', then: ['x'] }
    const plain = (cassette: Cassette) => {
      const { lookup: find } = cassette.tools({ lookup: async (_: object) => 'x' })
      return chatLoop('http://127.0.0.1:9', { lookup: find, refund: async () => 'not wrapped' })
    }
    const failure = await inTest(run.path, { fork }, plain).catch((error: Error) => error)
    expect(String(failure)).toContain('the agent went on without coming to the fork point')
    expect(existsSync(run.child)).toBe(false)
  })

  test('fails when it asks for more than the script says, or for less', async () => {
    await using run = await forks()
    const more = await run
      .fork({ at: toolResult('refund'), set: 'x', then: [{ toolName: 'lookup', toolInput: { n: 9 } }] })
      .catch((error: Error) => error)
    expect(String(more)).toContain('the agent made a 2nd request to the model; the script has 1 reply')
    const less = await run.fork({ at: toolResult('refund'), set: 'x', then: ['a', 'b'] })
    expect(less.result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_UNUSED_STEPS' }] })
    expect(less.result.errors[0]?.message).toContain('fork.then[1] is the first')
    expect(existsSync(run.child)).toBe(false)
  })
})

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
