import { GoogleGenAI } from '@google/genai'
import axios from 'axios'
import type OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { outcomeOf } from './record-and-replay.ts'
import { openaiAt } from './sdk-clients.ts'

const vector = [0.0023064255, -0.009327292, 1]
const base64 = Buffer.from(new Float32Array(vector).buffer).toString('base64')
const usage = { prompt_tokens: 8, total_tokens: 8 }

/** Vectors as the request asks for them (https://platform.openai.com/docs/api-reference/embeddings/create). */
const openaiVectors: Scripted = ({ body }) => ({
  body: JSON.stringify({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: body.encoding_format === 'base64' ? base64 : vector }],
    model: 'text-embedding-3-small',
    usage,
  }),
})

/** Records against a provider, takes it away, and replays. */
async function throughProvider<T>(other: Scripted, agent: (url: string, isReplay: boolean) => Promise<T>) {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ other })
  const recorded = await inTest(file.path, {}, () => agent(provider.url, false))
  await provider.stop()
  const replayed = await inTest(file.path, {}, () => agent(provider.url, true))
  return { recorded, replayed, requests: provider.requests }
}

const embed = (url: string, params: Partial<OpenAI.EmbeddingCreateParams> = {}) =>
  openaiAt(url).embeddings.create({ model: 'text-embedding-3-small', input: 'Hi', ...params })

const moderation = {
  id: 'modr-8Xy2',
  model: 'omni-moderation',
  results: [{ flagged: false, category_scores: { hate: 1e-7 } }],
}

const sends: Record<string, [Scripted, (url: string) => Promise<unknown>]> = {
  'embeddings of openai': [openaiVectors, (url) => embed(url)],
  'embeddings of openai as numbers': [openaiVectors, (url) => embed(url, { encoding_format: 'float' })],
  'embeddings over node:http': [
    openaiVectors,
    async (url) => (await axios.post(`${url}/v1/embeddings`, { model: 'text-embedding-3-small', input: ['Hi'] })).data,
  ],
  'embedContent of genai': [
    { body: JSON.stringify({ embedding: { values: vector } }) },
    async (url) => {
      const ai = new GoogleGenAI({ apiKey: 'k-0123456789abcdef', httpOptions: { baseUrl: url } })
      return (await ai.models.embedContent({ model: 'gemini-embedding-001', contents: 'Hi' })).embeddings
    },
  ],
  'rerank of cohere': [
    {
      body: JSON.stringify({ results: [{ index: 1, relevance_score: 0.9 }], meta: { api_version: { version: '2' } } }),
    },
    (url) =>
      axios
        .post(`${url}/v2/rerank`, { model: 'rerank', query: 'late', documents: ['a', 'b'] })
        .then(({ data }) => data),
  ],
}

test.each(Object.entries(sends))('%s come back as they were', async (_, [answer, send]) => {
  const { recorded, replayed, requests } = await throughProvider(answer, send)
  expect(recorded.result).toMatchObject({ kind: 'recorded', liveCalls: 1, errors: [] })
  expect(requests).toHaveLength(1)
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', replayedCalls: 1, errors: [] })
})

test('the SDK of openai asks for base64, the cassette holds numbers, and a replay serves both', async () => {
  const { recorded, replayed, requests } = await throughProvider(openaiVectors, async (url, isReplay) => {
    const { data, usage } = await embed(url, isReplay ? { encoding_format: 'float' } : {})
    return { vector: data[0]?.embedding, usage }
  })
  expect(requests[0]?.body.encoding_format).toBe('base64')
  const [call, result] = recorded.cassette.trace.steps.map(({ payload }) => payload)
  const toolInput = { input: 'Hi', model: 'text-embedding-3-small' }
  expect(call).toEqual({ toolCallId: 'call-0', toolName: 'openai embeddings', toolInput, origin: 'endpoint' })
  expect(result).toMatchObject({ result: { data: [{ embedding: [0.0023064255, -0.009327292, 1] }], usage } })
  expect(recorded.value.vector).toEqual([...new Float32Array(vector)])
  expect(replayed.value).toEqual({ vector: [0.0023064255, -0.009327292, 1], usage })
})

test('the id of a moderation is another each time, and not recorded', async () => {
  const { recorded, replayed } = await throughProvider({ body: JSON.stringify(moderation) }, (url) =>
    openaiAt(url).moderations.create({ model: 'omni-moderation', input: 'Hi' }),
  )
  expect(recorded.value.id).toBe('modr-8Xy2')
  expect(replayed.value).toEqual({ ...recorded.value, id: 'modr-retake' })
})

test('what fails is tried again in the replay as it was, and at once', async () => {
  let count = 0
  const limited: Scripted = (request) =>
    ++count <= 2
      ? {
          status: 429,
          headers: { 'retry-after-ms': '1' },
          body: '{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}',
        }
      : (openaiVectors as Extract<Scripted, (...args: never[]) => unknown>)(request)
  const { recorded, replayed } = await throughProvider(limited, async (url) => (await embed(url)).data)
  expect(recorded.cassette.trace.steps).toHaveLength(6)
  expect(replayed).toMatchObject({ value: recorded.value, result: { replayedCalls: 3, errors: [] } })

  const refused: Scripted = {
    status: 400,
    body: '{"error":{"message":"No such model","type":"invalid_request_error","param":"model","code":null}}',
  }
  const failed = await throughProvider(refused, (url) => outcomeOf(embed(url)))
  expect(failed.recorded.value).toMatchObject({ error: { status: 400, message: '400 No such model' } })
  expect(failed.replayed.value).toEqual(failed.recorded.value)
})

test('another text is a mismatch', async () => {
  const { replayed } = await throughProvider(openaiVectors, (url, isReplay) =>
    outcomeOf(embed(url, { input: isReplay ? 'Ho' : 'Hi' })),
  )
  expect(replayed.result.errors).toMatchObject([
    { code: 'RETAKE_CASSETTE_MISMATCH', details: { differences: [{ path: 'input', before: 'Hi', after: 'Ho' }] } },
  ])
  expect(replayed.result.errors[0]?.message).toMatch(/^the request to "openai embeddings" is not as recorded: input\n/)
})
