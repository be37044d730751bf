import { modelInput } from '@retake/session'
import { loadTrace, verifyFile } from '@retake/trace'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { answers, asks, loops } from '../matrix/all-loops.ts'
import { says } from '../matrix/replies.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { apiKey } from './sdk-clients.ts'

/** Records an agent, forks it at its second request with a live model, and gives what that model was asked, twice. */
async function forkLive(agent: (url: string) => Promise<unknown>) {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: [says(asks), says(answers, 1)] })
  await inTest(file.path, {}, () => agent(provider.url))
  await provider.stop()
  await using another = await startFakeProvider({ replies: [says({ text: 'Who can say?', stop: 'end' }, 1)] })
  const fork = { at: modelInput(2), then: 'live' as const }
  const { result, cassette } = await inTest(file.path, { fork }, () => agent(another.url))
  expect(result).toMatchObject({ kind: 'recorded', liveCalls: 1, replayedCalls: 1, errors: [] })
  expect(verifyFile(cassette.path).pass).toBe(true)
  const again = await inTest(file.path, { fork }, () => agent('http://127.0.0.1:9'))
  expect(again.result).toMatchObject({ kind: 'replayed', errors: [] })
  const child = loadTrace(cassette.path)
  expect(child.steps.filter(({ type }) => type === 'model_output')).toHaveLength(2)
  return { recorded: provider.requests[1]?.body, live: another.requests[0]?.body }
}

const signature = 'c2lnbmF0dXJlLW9mLXRoZS10aGlua2luZw=='

test.each([
  'anthropic toolRunner',
  'ai generateText, anthropic',
  'ai generateText, openai.responses without store',
  'agents, Responses',
])('%s: the live model gets the opaque reasoning of the recorded reply', async (name) => {
  const { recorded, live } = await forkLive(loops[name] as (url: string) => Promise<unknown>)
  const has = (body: unknown) => JSON.stringify(body).includes(signature)
  // Not every agent sends it; what was sent to the first provider must be sent to this one.
  expect(has(live)).toBe(has(recorded))
})

test('the signature of an Anthropic reply is among what is sent', async () => {
  const { live } = await forkLive(loops['anthropic toolRunner'] as (url: string) => Promise<unknown>)
  expect(JSON.stringify(live)).toContain(signature)
})

test('history that only the first provider would know is sent whole', async () => {
  const agent = async (url: string) => {
    const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
    const first = await client.responses.create({ model: 'gpt-5', input: 'What is it like in Paris?' })
    const calls = first.output.filter((item) => item.type === 'function_call')
    return (
      await client.responses.create({
        model: 'gpt-5',
        previous_response_id: first.id,
        input: calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'sunny' })),
      })
    ).output_text
  }
  const { recorded, live } = await forkLive(agent)
  expect(recorded).toMatchObject({ previous_response_id: expect.any(String) })
  expect(live).not.toHaveProperty('previous_response_id')
  expect(live.input[0]).toMatchObject({ role: 'user', content: 'What is it like in Paris?' })
  expect(live.input.map(({ type }: { type?: string }) => type)).toEqual([
    'message',
    'reasoning',
    'message',
    'function_call',
    'function_call',
    'function_call_output',
    'function_call_output',
  ])
})
