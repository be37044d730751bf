import { existsSync, readFileSync } from 'node:fs'
import { diffTraces } from '@retake/compare'
import { type Cassette, type ScriptedReply, toolResult } from '@retake/session'
import { terminalOutcome, verifyFile } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { runMain } from '../../packages/cli/test/run-main.ts'
import { chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { chatLoop, toolScript } from './chat-loop.ts'
import { type Fork, forks, lookup, refund, stepOf } from './forks.ts'
import { inTest } from './in-test.ts'

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
      const { code, out } = await runMain('/', ['diff', run.path, run.child, '--json'])
      expect([code, JSON.parse(out).firstDivergence]).toEqual([1, at])
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
