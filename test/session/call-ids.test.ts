import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type ChatToolCall, chatCall } from '../support/fake-provider/chat.ts'
import { chatLoop, toolScript } from './chat-loop.ts'
import { recordAndReplay } from './record-and-replay.ts'

const tools = {
  lookup: async ({ n }: { n: number }) => `found ${n}`,
  refund: async ({ n }: { n: number }) => `refunded ${n}`,
}

const withoutId = ({ id: _, ...call }: ChatToolCall): Partial<ChatToolCall> => call
const call = (n: number, name: keyof typeof tools = 'lookup', id = 'call_0') => chatCall(id, name, { n })

test.each<[string, Partial<ChatToolCall>[][]]>([
  ['the same id in every reply', [[call(1)], [call(2)], [call(3)]]],
  [
    'the same id for several calls of a reply',
    [
      [call(1), call(2, 'refund')],
      [call(3, 'refund'), call(4)],
    ],
  ],
  [
    'the same id for equal calls',
    [
      [call(1), call(1)],
      [call(1), call(1)],
    ],
  ],
  ['no ids', [[call(1), call(2, 'refund')].map(withoutId), [call(3)].map(withoutId)]],
  [
    'ids that start again',
    [
      [call(1, 'lookup', 'a'), call(2, 'lookup', 'b')],
      [call(3, 'lookup', 'a'), call(4, 'lookup', 'b')],
    ],
  ],
])('a vendor that sends %s is replayed', async (_, turns) => {
  const { recorded, replayed } = await recordAndReplay(toolScript(...turns), (url, cassette) =>
    chatLoop(url, cassette.tools(tools)),
  )
  const said = turns.flat().map((asked) => {
    const { name, arguments: input } = asked.function as ChatToolCall['function']
    return `${name === 'lookup' ? 'found' : 'refunded'} ${JSON.parse(input).n}`
  })
  expect(recorded.value).toBe(said.join(', '))
  expect(replayed.value).toBe(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('results that come back in another order still belong to their calls', async () => {
  const [one, two] = [call(1, 'lookup'), call(2, 'refund')]
  const slow = { ...tools, lookup: async ({ n }: { n: number }) => pause(20, `found ${n}`) }
  const { recorded, replayed } = await recordAndReplay(toolScript([one, two]), (url, cassette) =>
    chatLoop(url, cassette.tools(slow)),
  )
  expect(recorded.value).toBe('found 1, refunded 2')
  expect(replayed.value).toBe(recorded.value)
})

test('two conversations with the same prompt and equal calls overlap', async () => {
  let requests = 0
  const script = toolScript([call(1)], [call(2)])
  const { recorded, replayed } = await recordAndReplay(
    async (request) => {
      await pause(requests++ % 2 ? 12 : 2)
      const reply = await script(request)
      return reply
    },
    (url, cassette) => {
      const wrapped = cassette.tools(tools)
      return Promise.all([chatLoop(url, wrapped), chatLoop(url, wrapped)])
    },
  )
  expect(recorded.value).toEqual(['found 1, found 2', 'found 1, found 2'])
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [], replayedCalls: 6 })
})
