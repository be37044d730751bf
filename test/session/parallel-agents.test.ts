import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { chatCall, chatReply } from '../support/fake-provider/chat.ts'
import type { FakeReply, ReceivedRequest } from '../support/fake-provider/reply.ts'
import { chatLoop, toolScript } from './chat-loop.ts'
import { recordAndReplay } from './record-and-replay.ts'
import { chatRequest, openaiAt } from './sdk-clients.ts'

const script = toolScript(
  [chatCall('call_1', 'lookup', { n: 1 })],
  [chatCall('call_2', 'lookup', { n: 2 })],
  [chatCall('call_3', 'lookup', { n: 3 })],
)

/** Answers `slow` conversations later than others, so that they are far apart in the recording. */
const paced = async (request: ReceivedRequest): Promise<FakeReply> => {
  await pause(request.body.messages[0].content === 'slow' ? 120 : 2)
  return script(request)
}

test('agents of different pace, whose later calls did not overlap, replay at one pace', async () => {
  const { recorded, replayed, replayMs } = await recordAndReplay(paced, (url, cassette) => {
    const tools = cassette.tools({ lookup: async ({ n }: { n: number }) => `found ${n}` })
    return Promise.all(['slow', 'fast'].map((question) => chatLoop(url, tools, { question })))
  })
  expect(recorded.value).toEqual(['found 1, found 2, found 3', 'found 1, found 2, found 3'])
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [], replayedCalls: 8 })
  expect(replayed.value).toEqual(recorded.value)
  expect(replayMs).toBeLessThan(1000)
})

test('an agent whose own tools take their time is waited for', async () => {
  const { recorded, replayed } = await recordAndReplay(paced, (url) => {
    const own = (ms: number) => ({ lookup: ({ n }: { n: number }) => pause(ms, `found ${n}`) })
    return Promise.all([chatLoop(url, own(0), { question: 'slow' }), chatLoop(url, own(25), { question: 'fast' })])
  })
  expect(recorded.value).toEqual(['found 1, found 2, found 3', 'found 1, found 2, found 3'])
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  expect(replayed.value).toEqual(recorded.value)
})

test('an agent that asks in another order is refused, and not for long', async () => {
  const order = ['one', 'two', 'three']
  const { replayed, replayMs } = await recordAndReplay(
    () => {
      const reply = chatReply({ content: 'Hello' })
      return typeof reply === 'function' ? reply({ body: {} } as ReceivedRequest) : reply
    },
    async (url, cassette) => {
      const questions = cassette.state === 'recording' ? order : ['two', 'one', 'three']
      const answers: string[] = []
      for (const question of questions) {
        const asked = openaiAt(url).chat.completions.create(chatRequest(question))
        answers.push(await asked.then(() => 'answered').catch(() => 'refused'))
      }
      return answers
    },
  )
  expect(replayed.value[0]).toBe('refused')
  expect(replayed.result.errors[0]).toMatchObject({ code: 'RETAKE_OUT_OF_ORDER' })
  expect(replayMs).toBeLessThan(2000)
})
