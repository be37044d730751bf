import { GoogleGenAI, type GoogleGenAIOptions } from '@google/genai'
import OpenAI, { AzureOpenAI } from 'openai'
import { expect, test } from 'vitest'
import { chatReply } from '../support/fake-provider/chat.ts'
import { geminiReply } from '../support/fake-provider/gemini.ts'
import { responsesReply, responsesText } from '../support/fake-provider/responses.ts'
import { recordAndReplay } from './record-and-replay.ts'

/** Wires under the URLs of other clouds, each as its client makes them. */

const apiKey = 'k-0123456789abcdef'
const azure = (url: string, deployment?: string) =>
  new AzureOpenAI({ apiKey, endpoint: url, apiVersion: '2026-10-01', ...(deployment && { deployment }) })
const messages = [{ role: 'user' as const, content: 'Hi' }]

const genai = (options: Partial<GoogleGenAIOptions>) => async (url: string) => {
  const { models } = new GoogleGenAI({ vertexai: true, httpOptions: { baseUrl: url }, ...options })
  return (await models.generateContent({ model: 'gemini-3-pro', contents: 'Hi' })).text
}

const chat = [chatReply({ content: 'Hello' })]
const gemini = [geminiReply({ parts: [{ text: 'Hello' }] })]

test.each([
  [
    'a chat at a deployment of Azure',
    chat,
    async (url: string) =>
      (await azure(url).chat.completions.create({ model: 'gpt-5-east', messages })).choices[0]?.message.content,
    'gpt-5-east',
  ],
  [
    'a chat at a deployment that the client was made for',
    chat,
    async (url: string) =>
      (await azure(url, 'gpt-5-east').chat.completions.create({ model: 'gpt-5', messages })).choices[0]?.message
        .content,
    'gpt-5',
  ],
  [
    'a chat at the v1 API of Azure',
    chat,
    async (url: string) => {
      const client = new OpenAI({ apiKey, baseURL: `${url}/openai/v1/`, defaultQuery: { 'api-version': 'preview' } })
      return (await client.chat.completions.create({ model: 'gpt-5-east', messages })).choices[0]?.message.content
    },
    'gpt-5-east',
  ],
  [
    'a response of Azure',
    [responsesReply({ output: [responsesText('Hello')] })],
    async (url: string) => (await azure(url).responses.create({ model: 'gpt-5-east', input: 'Hi' })).output_text,
    'gpt-5-east',
  ],
  ['Gemini on Vertex in express mode', gemini, genai({ apiKey }), 'gemini-3-pro'],
  [
    'Gemini on Vertex in a region',
    gemini,
    genai({
      project: 'p',
      location: 'europe-west4',
      googleAuthOptions: {
        authClient: { getRequestHeaders: async () => new Headers({ authorization: 'Bearer t' }) } as never,
      },
    }),
    'gemini-3-pro',
  ],
])('%s is recorded and replayed', async (_, replies, agent, model) => {
  const { recorded, replayed, requests } = await recordAndReplay(replies, agent)
  expect(requests).toBe(1)
  expect(recorded.value).toBe('Hello')
  expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(recorded.cassette.trace.steps[0]?.payload).toMatchObject({ model })
  expect(replayed.value).toBe('Hello')
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [], liveCalls: 0 })
})
