import { readFileSync } from 'node:fs'
import { verifyFile } from '@retake/trace'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import * as agents from './agents.ts'
import { inTest, temporaryCassette } from './in-test.ts'

const captured = globalThis.fetch

const cases = {
  'openai create': [agents.chatCreate, agents.chatScript],
  'openai stream': [agents.chatStreamed, agents.chatScript],
  'openai runTools': [agents.chatRunTools, agents.chatScript],
  'openai runTools, streamed': [agents.chatRunToolsStreamed, agents.chatScript],
  'openai parse': [agents.chatParse, agents.parseScript],
  'anthropic create': [agents.anthropicCreate, agents.anthropicScript],
  'anthropic stream': [agents.anthropicStreamed, agents.anthropicScript],
  'anthropic toolRunner': [agents.anthropicToolRunner, agents.anthropicScript],
  'genai chat': [agents.geminiChatCreate, agents.geminiScript],
  'genai chat, streamed': [agents.geminiChatStreamed, agents.geminiScript],
  'genai chat, calls without ids': [agents.geminiChatCreate, () => agents.geminiScript(false)],
  'genai chat, streamed, calls without ids': [agents.geminiChatStreamed, () => agents.geminiScript(false)],
  'gemini streamed as a JSON array': [agents.geminiArrayStream, agents.geminiScript],
  axios: [agents.chatOverAxios, agents.chatScript],
  'openai with a fetch captured before': [(url: string) => agents.chatCreate(url, captured), agents.chatScript],
  'anthropic with a fetch captured before': [
    (url: string) => agents.anthropicStreamed(url, captured),
    agents.anthropicScript,
  ],
} satisfies Record<string, [agents.Agent, () => ReturnType<typeof agents.chatScript>]>

for (const [name, [agent, script]] of Object.entries(cases)) {
  test(`${name}: a replay gives what the recording gave, with the provider gone`, async () => {
    await using file = await temporaryCassette()
    const provider = await startFakeProvider({ replies: script() })
    const recorded = await inTest(file.path, {}, () => agent(provider.url))
    await provider.stop()

    expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [], liveCalls: script().length })
    expect(verifyFile(file.path).pass).toBe(true)
    expect(readFileSync(file.path, 'utf8')).not.toContain('sk-test')

    const replayed = await inTest(file.path, {}, () => agent(provider.url))
    expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [], liveCalls: 0, unused: 0 })
    expect(replayed.value).toEqual(recorded.value)
    expect(provider.requests).toHaveLength(script().length)
  })
}

test('a client made before any cassette started is recorded and replayed', async () => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: agents.parseScript() })
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'k', fetch: captured })
  const ask = () => client.chat.completions.create({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] })
  const recorded = await inTest(file.path, {}, ask)
  await provider.stop()
  const replayed = await inTest(file.path, {}, ask)
  expect(recorded.result.kind).toBe('recorded')
  expect(replayed.value.choices[0]?.message).toEqual(recorded.value.choices[0]?.message)
})
