import { readFileSync } from 'node:fs'
import { verifyFile } from '@retake/trace'
import { expect, test } from 'vitest'
import { inTest, temporaryCassette } from '../session/in-test.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import * as agents from './agents.ts'

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
