import Anthropic from '@anthropic-ai/sdk'
import { Agent, run } from '@openai/agents'
import type { Cassette } from '@retake/session'
import type { Message } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { outcomeOf, recordAndReplay } from '../session/record-and-replay.ts'
import type { ReceivedRequest, Scripted } from '../support/fake-provider/reply.ts'
import { agentModels } from './clients/agents.ts'
import { langchainOpenai } from './clients/langchain.ts'
import { aiSdkLoops } from './loops/ai-sdk.ts'
import { anthropicLoops } from './loops/anthropic.ts'
import { langchainLoops } from './loops/langchain.ts'
import type { Loop } from './loops/loop.ts'
import { says } from './replies.ts'
import { apiKey, question } from './tools.ts'

/** History that the provider holds: SDKs name it instead of sending it, some without being asked to. */

const asks = says({
  thinking: 'Weather and time.',
  text: 'Let me look.',
  calls: [{ name: 'get_weather', input: { city: 'Paris' } }],
  stop: 'tools',
})
const answers = says({ text: 'It is 18 °C.', stop: 'end' }, 1)

/** Records and replays, and tells what the provider was asked. */
const run2 = async (replies: Scripted[], loop: Loop) => {
  const bodies: ReceivedRequest['body'][] = []
  const heard = replies.map(
    (reply): Scripted =>
      (request) => {
        bodies.push(request.body)
        return typeof reply === 'function' ? reply(request) : reply
      },
  )
  const { recorded, replayed } = await recordAndReplay(heard, (url) => outcomeOf(loop(url)))
  return { recorded, replayed, bodies }
}

/** Who said something in each request, as the cassette has it. */
const roles = ({ trace }: Cassette): string[][] =>
  trace.steps.flatMap(({ type, payload }) =>
    type === 'model_input' ? [(payload as unknown as { messages: Message[] }).messages.map(({ role }) => role)] : [],
  )

const conversation = async (
  first: (url: string) => Promise<{ id: string | undefined; text: unknown }>,
  second: (url: string, id: string) => Promise<{ text: unknown }>,
  url: string,
) => {
  const { id, text } = await first(url)
  if (!id) throw new Error('the first reply had no id')
  return [text, (await second(url, id)).text]
}

const agent = (url: string) => new Agent({ name: 'weather', model: agentModels.Responses?.(url) as never })
const lc = (url: string) => langchainOpenai(url, { useResponsesApi: true })

const chained: Record<string, { loop: Loop; continueFrom: (url: string, id: string) => Promise<unknown> }> = {
  'agents with previousResponseId': {
    loop: (url) =>
      conversation(
        async () => {
          const { lastResponseId, finalOutput } = await run(agent(url), question)
          return { id: lastResponseId, text: finalOutput }
        },
        async (_, previousResponseId) => ({
          text: (await run(agent(url), 'And tomorrow?', { previousResponseId })).finalOutput,
        }),
        url,
      ),
    continueFrom: (url, previousResponseId) => run(agent(url), question, { previousResponseId }),
  },
  'langchain with previous_response_id': {
    loop: (url) =>
      conversation(
        async () => {
          const { content, response_metadata: metadata } = await lc(url).invoke(question)
          return { id: metadata.id as string | undefined, text: content }
        },
        async (_, previous_response_id) => ({
          text: (await lc(url).invoke('And tomorrow?', { previous_response_id } as object)).content,
        }),
        url,
      ),
    continueFrom: (url, previous_response_id) => lc(url).invoke(question, { previous_response_id } as object),
  },
}

describe.each(Object.entries(chained))('%s', (_, { loop, continueFrom }) => {
  test('sends what is new, and the cassette has it all', async () => {
    const replies = [says({ text: 'It is sunny.', stop: 'end' }), says({ text: 'It will rain.', stop: 'end' }, 1)]
    const { recorded, replayed, bodies } = await run2(replies, loop)
    expect(bodies[1]).toHaveProperty('previous_response_id')
    expect(bodies[1].input).toHaveLength(1)
    expect(JSON.stringify(recorded.value)).toContain('It will rain.')
    expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
    expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
    expect(roles(recorded.cassette)).toEqual([['user'], ['user', 'assistant', 'user']])
  })

  test('an id from outside the run is refused, and nothing is sent', async () => {
    const { recorded, bodies } = await run2([], (url) => continueFrom(url, 'resp_of_last_week'))
    expect(bodies).toEqual([])
    expect(recorded.value).toMatchObject({ error: { status: 400, message: expect.stringContaining('[retake]') } })
    expect(recorded.result).toMatchObject({
      kind: 'failed',
      errors: [{ code: 'RETAKE_UNSUPPORTED', details: { name: 'history from outside the run' } }],
    })
  })
})

test('the AI SDK names the items of earlier replies by itself, and the cassette has them', async () => {
  const loop = aiSdkLoops['ai generateText, openai.responses'] as Loop
  const { recorded, replayed, bodies } = await run2([asks, answers], loop)
  expect(JSON.stringify(bodies[1])).toContain('item_reference')
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  expect(roles(recorded.cassette)).toEqual([['user'], ['user', 'assistant', 'user']])
  expect(JSON.stringify(recorded.cassette.trace)).not.toContain('item_reference')
})

test('a history sent whole and one by its items are the same cassette', async () => {
  const loops = [
    aiSdkLoops['ai generateText, openai.responses'],
    aiSdkLoops['ai generateText, openai.responses without store'],
  ]
  const { replayed } = await run2([asks, answers], (url) => (loops.shift() as Loop)(url))
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test.each(Object.entries(anthropicLoops))(
  '%s continues a thread by itself, and sends everything instead',
  async (_, loop) => {
    const { recorded, replayed, bodies } = await run2([asks, answers], loop)
    expect(bodies.map(({ thread, messages }) => [thread, messages.length])).toEqual([
      [{ type: 'create' }, 1],
      [{ type: 'create' }, 3],
    ])
    expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
    expect(roles(recorded.cassette)).toEqual([['user'], ['user', 'assistant', 'user']])
  },
)

test('a thread from outside the run is refused as the API refuses one that it does not know', async () => {
  const { recorded, bodies } = await run2([], (url) =>
    new Anthropic({ apiKey, baseURL: url, maxRetries: 0 }).beta.messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: question }],
      thread: { type: 'continue', previous_message_id: 'msg_of_last_week' },
    }),
  )
  expect(bodies).toEqual([])
  expect(recorded.value).toMatchObject({
    error: { status: 404, message: expect.stringContaining('thread_not_found') },
  })
})

test('LangChain without storage sends its reasoning back, and it matches', async () => {
  const loop = langchainLoops['langchain ChatOpenAI, Responses, nothing kept'] as Loop
  const { replayed, bodies } = await run2([asks, answers], loop)
  expect(JSON.stringify(bodies[1])).not.toContain('item_reference')
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})
