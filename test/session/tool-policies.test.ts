import { setTimeout as pause } from 'node:timers/promises'
import type { Cassette, CassetteOptions } from '@retake/session'
import { loadTrace } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { chatCall } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { chatLoop, toolScript } from './chat-loop.ts'
import { inTest, temporaryCassette } from './in-test.ts'

const lookup = (n: number) => chatCall(`call_${n}`, 'lookup', { n })
const nowhere = 'http://127.0.0.1:9'

type Lookup = (input: { n: number }) => unknown

/** Records an agent whose tool gives this, and replays it under a policy with a tool that gives that. */
async function replay(
  tools: NonNullable<CassetteOptions['tools']>,
  before: Lookup,
  now: Lookup,
  more: CassetteOptions = {},
) {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: toolScript([lookup(1)]) })
  const agent = (url: string, tool: Lookup) => (cassette: Cassette) =>
    chatLoop(url, cassette.tools({ lookup: async (input: { n: number }) => tool(input) }))
  await inTest(file.path, { ...more, tools }, agent(provider.url, before))
  await provider.stop()
  const ran: unknown[] = []
  const { value, result } = await inTest(
    file.path,
    { ...more, tools },
    agent(nowhere, (input) => {
      ran.push(input)
      return now(input)
    }),
  )
  return { value, result, ran }
}

const fails = (message: string) => () => {
  throw new RangeError(message)
}

describe("tools: 'run' runs the tool and compares what it gives with the recording", () => {
  test.each<[string, Lookup, Lookup]>([
    ['the same value', () => ({ late: true }), () => ({ late: true })],
    ['the same error', fails('no such order'), fails('no such order')],
    ['nothing again', () => undefined, () => undefined],
  ])('%s is fine', async (_, before, now) => {
    const { result, ran } = await replay('run', before, now)
    expect(result).toMatchObject({ kind: 'replayed', errors: [] })
    expect(ran).toEqual([{ n: 1 }])
  })

  test.each<[string, Lookup, Lookup, string]>([
    ['another value', () => ({ late: true }), () => ({ late: false }), 'result.late: true → false'],
    ['another error', fails('no such order'), fails('no order'), 'error: "no such order" → "no order"'],
    ['an error instead of a value', () => 1, fails('down'), 'error'],
    ['a value instead of an error', fails('down'), () => 1, 'result'],
    ['nothing instead of null', () => null, () => undefined, 'noValue'],
  ])('%s fails the test once, and the agent goes on with what was recorded', async (_, before, now, difference) => {
    const { result, ran } = await replay('run', before, now)
    expect(ran).toEqual([{ n: 1 }])
    expect(result).toMatchObject({
      kind: 'failed',
      errors: [{ code: 'RETAKE_CASSETTE_MISMATCH', details: { tool: 'lookup', gave: true } }],
    })
    expect(result.errors).toHaveLength(1)
    expect(result.errors[0]?.message).toContain('tool "lookup" gave something else than recorded')
    expect(result.errors[0]?.message).toContain(difference)
  })

  test('what is redacted is compared redacted', async () => {
    const redact = [/\d{4}/]
    const { result } = await replay(
      'run',
      () => 'card 1234',
      () => 'card 9876',
      { redact },
    )
    expect(result).toMatchObject({ kind: 'replayed', errors: [] })
  })

  test('a result that JSON cannot hold fails the test', async () => {
    const { result } = await replay(
      'run',
      () => 1,
      () => new Map(),
    )
    expect(result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_UNSUPPORTED' }] })
  })
})

describe("tools: 'live' runs the tool and does not look", () => {
  test('the same result', async () => {
    const { result, ran } = await replay(
      'live',
      () => 1,
      () => 1,
    )
    expect(result).toMatchObject({ kind: 'replayed', errors: [] })
    expect(ran).toEqual([{ n: 1 }])
  })

  test('another result shows in the next request', async () => {
    await expect(
      replay(
        'live',
        () => 1,
        () => 2,
      ),
    ).rejects.toThrow(/\[retake\] request 2 of 2 differs/)
  })

  test('… unless that is not compared', async () => {
    const { result } = await replay(
      'live',
      () => 1,
      () => 2,
      { match: 'sequence' },
    )
    expect(result).toMatchObject({ kind: 'replayed', errors: [] })
  })
})

test('five parallel tools that finish in random order give the same cassette, ten times, times aside', async () => {
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon']
  const calls = names.map((name, n) => chatCall(`call_${n}`, name, { n }))
  const finished: string[] = []
  const runOnce = async () => {
    await using file = await temporaryCassette()
    await using provider = await startFakeProvider({ replies: toolScript(calls) })
    const order: string[] = []
    const waits = names.map(() => Math.random() * 15)
    const { result } = await inTest(file.path, {}, (cassette) =>
      chatLoop(
        provider.url,
        cassette.tools(
          Object.fromEntries(
            names.map((name, n) => [
              name,
              async (input: { n: number }) => {
                await pause(waits[n])
                order.push(name)
                if (n === 3) throw new Error('delta fails')
                return { name, ...input }
              },
            ]),
          ),
        ),
      ),
    )
    expect(result).toMatchObject({ kind: 'recorded', errors: [] })
    finished.push(order.join())
    return loadTrace(file.path).steps.map(({ index, type, payload }) => ({ index, type, payload }))
  }
  const first = await runOnce()
  for (let n = 1; n < 10; n++) expect(await runOnce()).toEqual(first)
  expect(first.filter(({ type }) => type === 'tool_result').map(({ payload }) => Object(payload).toolName)).toEqual(
    names,
  )
  // Of 120 orders ten runs do not hit the same one.
  expect(new Set(finished).size).toBeGreaterThan(1)
})

test('a call that no reply asked for has an origin, and comes behind those that were', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: toolScript([lookup(1)]) })
  await inTest(file.path, {}, async (cassette) => {
    const tools = cassette.tools({ lookup: async (_: object) => 'found', audit: async (_: object) => 'noted' })
    await chatLoop(provider.url, {
      lookup: async (input: { n: number }) => {
        const [, found] = await Promise.all([tools.audit({ of: input.n }), tools.lookup(input)])
        return found
      },
    })
  })
  const called = loadTrace(file.path).steps.filter(({ type }) => type === 'tool_call')
  expect(called.map(({ payload }) => payload)).toEqual([
    { toolCallId: 'call-0', toolName: 'lookup', toolInput: { n: 1 } },
    { toolCallId: 'call-1', toolName: 'audit', toolInput: { of: 1 }, origin: 'agent' },
  ])
})
