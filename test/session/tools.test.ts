import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cassette } from '@retake/session'
import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { chatCall, chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { chatLoop, type LoopOptions, type Tool, toolScript } from './chat-loop.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { recordAndReplay } from './record-and-replay.ts'
import { chatRequest, openaiAt } from './sdk-clients.ts'

const lookup = (n: number, id = `call_${n}`) => chatCall(id, 'lookup', { n })
const refund = (n: number, id = `call_r${n}`) => chatCall(id, 'refund', { n })

/** Records and replays an agent with these tools; in the replay none of them may run. */
const run = (calls: ReturnType<typeof lookup>[], tools: Record<string, Tool>, options: LoopOptions = {}) => {
  let runs = 0
  const counted = (cassette: Cassette) => {
    const isReplay = cassette.state === 'replaying'
    return cassette.tools(
      Object.fromEntries(
        Object.entries(tools).map(([name, tool]) => [
          name,
          tool.constructor.name === 'AsyncFunction'
            ? async (input: never) => {
                if (isReplay) runs++
                return tool(input)
              }
            : (input: never) => {
                if (isReplay) runs++
                return tool(input)
              },
        ]),
      ),
    )
  }
  return recordAndReplay(toolScript(calls), async (url, cassette) => ({
    answer: await chatLoop(url, counted(cassette), options),
    runs,
  }))
}

test.each<[string, Tool, string]>([
  ['throws an error', () => Promise.reject(new RangeError('no such order')), 'failed: RangeError: no such order'],
  [
    'throws an error at once',
    () => {
      throw new TypeError('no such order')
    },
    'failed: TypeError: no such order',
  ],
  ['throws a text', () => Promise.reject('no such order'), 'failed: no such order'],
  ['returns nothing', async () => undefined, 'undefined'],
  ['returns null', async () => null, 'null'],
  ['is not async', ({ n }: { n: number }) => ({ late: n }), '{"late":1}'],
  ['returns an empty text', async () => '', ''],
])('a tool that %s does so again in the replay, and does not run', async (_, tool, said) => {
  const { recorded, replayed } = await run([lookup(1)], { lookup: tool })
  expect(recorded.value.answer).toBe(said)
  expect(replayed.value).toEqual({ answer: said, runs: 0 })
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('a thrown error of a built-in class has it again, every other keeps its name', async () => {
  class OutOfStock extends Error {
    override readonly name = 'OutOfStock'
  }
  const thrown = [new RangeError('a'), new SyntaxError('b'), new OutOfStock('c'), new Error('d')]
  const { recorded, replayed } = await recordAndReplay([chatReply({ content: 'x' })], async (url, cassette) => {
    const tools = cassette.tools({ lookup: async ({ n }: { n: number }) => Promise.reject(thrown[n]) })
    await openaiAt(url).chat.completions.create(chatRequest())
    const errors: unknown[] = []
    for (const n of thrown.keys()) errors.push(await tools.lookup({ n }).catch((error) => error))
    return errors.map((error) => [
      error instanceof RangeError,
      error instanceof SyntaxError,
      error instanceof Error,
      String(error),
    ])
  })
  expect(recorded.value).toEqual([
    [true, false, true, 'RangeError: a'],
    [false, true, true, 'SyntaxError: b'],
    [false, false, true, 'OutOfStock: c'],
    [false, false, true, 'Error: d'],
  ])
  expect(replayed.value).toEqual(recorded.value)
})

test('a function that gives a promise without being async gives one in the replay', async () => {
  const tools = {
    lookup: ({ n }: { n: number }) => pause(1, `found ${n}`),
    refund: () => Promise.reject(new Error('no')),
  }
  const { recorded, replayed } = await recordAndReplay(toolScript([lookup(1), refund(2)]), (url, cassette) => {
    const wrapped = cassette.tools(tools)
    return chatLoop(url, {
      lookup: (input) => wrapped.lookup(input).then((text) => `${text}!`),
      refund: async () =>
        (await Promise.allSettled([1].map(() => wrapped.refund()))).map(({ status }) => status).join(),
    })
  })
  expect(recorded.value).toBe('found 1!, rejected')
  expect(replayed.value).toBe(recorded.value)
})

test('a tool that the agent calls with other arguments than the model asked for is found by those', async () => {
  const { recorded, replayed } = await recordAndReplay(toolScript([lookup(1), lookup(2)]), (url, cassette) => {
    const tools = cassette.tools({ lookup: async ({ n }: { n: number }) => n * 2 })
    return chatLoop(url, { lookup: ({ n }: { n: number }) => tools.lookup({ n: n + 10 }) })
  })
  expect(recorded.value).toBe('22, 24')
  expect(replayed.value).toBe(recorded.value)
})

test('equal calls of one tool get their results in the order in which they were made', async () => {
  const count = () => {
    let n = 0
    return async () => {
      const mine = ++n
      await pause(20 - 5 * mine)
      return `result ${mine}`
    }
  }
  const { recorded, replayed } = await recordAndReplay(
    toolScript([lookup(1, 'a'), lookup(1, 'b'), lookup(1, 'c')]),
    (url, cassette) => chatLoop(url, cassette.tools({ lookup: count() })),
  )
  expect(recorded.value).toBe('result 1, result 2, result 3')
  expect(replayed.value).toBe(recorded.value)
})

test.each<[string, number]>([
  ['long after it', 25],
  ['within the same millisecond', 0],
])('parallel tools finish in the recorded order, also where the first ends %s', async (_, ms) => {
  const later = (times: number): Promise<void> =>
    times === 0 ? Promise.resolve() : Promise.resolve().then(() => later(times - 1))
  const tools = {
    lookup: async ({ n }: { n: number }) => {
      await (ms > 0 ? pause(ms) : later(20))
      return `found ${n}`
    },
    refund: async ({ n }: { n: number }) => `refunded ${n}`,
  }
  const { recorded, replayed } = await run([lookup(1), refund(2), refund(3)], tools, { order: 'finish' })
  expect(recorded.value.answer).toBe('refunded 2, refunded 3, found 1')
  expect(replayed.value).toEqual({ answer: recorded.value.answer, runs: 0 })
  expect(replayed.result.errors).toEqual([])
})

test('results come back while timers are faked', async () => {
  const { replayed } = await recordAndReplay(toolScript([lookup(1)]), async (url, cassette) => {
    const tools = cassette.tools({ lookup: async () => 'found' })
    if (cassette.state === 'replaying') vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'Date'] })
    try {
      return await chatLoop(url, tools)
    } finally {
      vi.useRealTimers()
    }
  })
  expect(replayed).toMatchObject({ value: 'found', result: { kind: 'replayed' } })
})

test.each<[string, Tool, Tool]>([
  [
    'a result that JSON cannot hold',
    async () => new Map([[1, 2]]),
    async (value) => (value as Map<number, number>).size,
  ],
  ['a thrown value that is no error', () => Promise.reject({ code: 7 }), async (value) => value],
])('%s is given to the agent, and nothing is written', async (_, tool, look) => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: toolScript([lookup(1)]) })
  const { value, result } = await inTest(file.path, {}, async (cassette) => {
    const tools = cassette.tools({ lookup: tool as (input: never) => Promise<unknown> })
    return chatLoop(provider.url, {
      lookup: (input) => tools.lookup(input).then(look as (value: unknown) => unknown, (thrown) => thrown.code),
    })
  })
  expect(value).toMatch(/^[17]$/)
  expect(result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_UNSUPPORTED' }] })
  expect(existsSync(file.path)).toBe(false)
})

const circular = () => {
  const self: Record<string, unknown> = {}
  self.self = self
  return self
}

test.each<[string, () => unknown]>([
  ['a Map', () => new Map([[1, 2]])],
  ['a Set', () => new Set([1])],
  ['a RegExp', () => /x/],
  ['a bigint', () => 10n],
  ['a symbol', () => Symbol('x')],
  ['a cycle', circular],
  ['NaN', () => Number.NaN],
  ['bytes', () => new Uint8Array([1])],
])('a tool does not run with %s as its argument: it is refused before, and nothing is written', async (_, make) => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: toolScript([lookup(1), refund(2)]) })
  const runs: string[] = []
  const { value, result } = await inTest(file.path, {}, async (cassette) => {
    const tools = cassette.tools({
      lookup: async (_: unknown) => runs.push('async'),
      refund: (_: unknown) => runs.push('not async'),
    })
    return chatLoop(provider.url, {
      lookup: () => tools.lookup({ ids: make() }),
      refund: () => tools.refund({ ids: make() }),
    })
  })
  expect(value).toMatch(
    /^failed: UnsupportedError: An? .* in the input of tool "lookup" at ids(.self)? cannot be stored/,
  )
  expect(value).toContain('in the input of tool "refund" at ids')
  expect(runs).toEqual([])
  expect(result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_UNSUPPORTED' }, {}] })
  expect(existsSync(file.path)).toBe(false)
})

test.each<[string, (tools: { lookup: (input: object) => unknown }) => unknown]>([
  ['other arguments', (tools) => tools.lookup({ n: 2 })],
  ['arguments that JSON cannot hold', (tools) => tools.lookup({ n: new Set() })],
  ['a call more than recorded', async (tools) => [await tools.lookup({ n: 1 }), await tools.lookup({ n: 1 })]],
])('in a replay %s of a tool are a miss, also where the agent swallows it', async (_, call) => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({
    replies: [chatReply({ tool_calls: [lookup(1)] }), chatReply({ content: 'x' })],
  })
  const agent = (use: typeof call) => async (cassette: Cassette) => {
    const tools = cassette.tools({ lookup: async () => 'found' })
    const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'k' })
    const ask = (content: string) =>
      client.chat.completions.create({ model: 'gpt-5', messages: [{ role: 'user', content }] })
    await ask('one')
    await Promise.resolve(use(tools as never)).catch(() => 'swallowed')
    return (await ask('two')).choices[0]?.message.content
  }
  await inTest(
    file.path,
    {},
    agent((tools) => tools.lookup({ n: 1 })),
  )
  await provider.stop()
  const { value, result } = await inTest(file.path, {}, agent(call))
  expect(value).toBe('x')
  expect(result.kind).toBe('failed')
  expect(result.errors).toHaveLength(1)
})

test('a replay that no longer calls a tool of its own is not green', async () => {
  const agent = (calls: boolean) => async (url: string, cassette: Cassette) => {
    const tools = cassette.tools({ lookup: async () => 'found', sendMail: async (_: object) => 'sent' })
    const answer = await chatLoop(url, tools)
    if (calls || cassette.state === 'recording') await tools.sendMail({ to: 'ada' })
    return answer
  }
  const same = await recordAndReplay(toolScript([lookup(1)]), agent(true))
  expect(same.replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  const { replayed } = await recordAndReplay(toolScript([lookup(1)]), agent(false))
  expect(replayed.result).toMatchObject({ kind: 'failed', unused: 0, errors: [{ code: 'RETAKE_UNUSED_STEPS' }] })
  expect(replayed.result.errors[0]?.message).toContain('sendMail')
  const allowed = await recordAndReplay(toolScript([lookup(1)]), agent(false), { allowUnused: true })
  expect(allowed.replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('tools that the replay does not wrap run, and their recorded results are not missed', async () => {
  let runs = 0
  const own = {
    lookup: async () => {
      runs++
      return 'found'
    },
  }
  const { recorded, replayed } = await recordAndReplay(toolScript([lookup(1)]), (url, cassette) =>
    chatLoop(url, cassette.state === 'recording' ? cassette.tools(own) : own),
  )
  expect(replayed).toMatchObject({ value: recorded.value, result: { kind: 'replayed', errors: [] } })
  expect(runs).toBe(2)
})
