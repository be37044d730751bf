import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anthropicMessages } from './built/anthropic-messages.ts'
import { type Built, toExchange } from './built/built.ts'
import { cloudAndLocal } from './built/cloud-and-local.ts'
import { gemini } from './built/gemini.ts'
import { openaiChat } from './built/openai-chat.ts'
import { openaiResponses } from './built/openai-responses.ts'
import { judgeRun } from './judge-run.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'built-'))
})
afterAll(() => rm(folder, { recursive: true }))

// What real traffic of ours has nowhere: each either comes back as it was, or is refused by its name.
test.each<[string, Built[]]>([
  ['OpenAI Chat Completions, and its vendors', openaiChat],
  ['OpenAI Responses', openaiResponses],
  ['Anthropic Messages', anthropicMessages],
  ['Gemini', gemini],
  ['Bedrock, Ollama, and endpoints of no conversation', cloudAndLocal],
])('%s: documented exchanges are exact, or refused by name', async (_, built) => {
  const verdicts: Record<string, string | undefined> = {}
  for (const one of built) {
    const exchange = toExchange(one)
    const judgement = (await judgeRun([exchange], await mkdtemp(join(folder, 'run-')))).get(exchange)
    verdicts[one.name] = judgement?.verdict === 'exact' ? 'exact' : judgement?.reason
  }
  expect(verdicts).toEqual(Object.fromEntries(built.map(({ name, refused = 'exact' }) => [name, refused])))
})
