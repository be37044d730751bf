import { generateText, isStepCount, type LanguageModel, Output, streamText, tool } from 'ai'
import { z } from 'zod'
import { aiModels } from '../clients/ai-sdk.ts'
import { brokenClock, question, weatherIn } from '../tools.ts'
import type { Loop } from './loop.ts'

const tools = {
  get_weather: tool({
    description: 'Tells the weather.',
    inputSchema: z.object({ city: z.string() }),
    execute: weatherIn,
  }),
  get_time: tool({ description: 'Tells the time.', inputSchema: z.object({}), execute: () => brokenClock() }),
}

const request = { system: 'Be brief.', prompt: question, tools, stopWhen: isStepCount(5), maxRetries: 0 }

interface Step {
  content: unknown
  finishReason: string
  usage: unknown
}

const seenIn = (text: string, steps: readonly Step[]) => ({
  text,
  steps: steps.map(({ content, finishReason, usage }) => ({ content, finishReason, usage })),
})

const model = (name: string, url: string): LanguageModel => {
  const found = aiModels[name]
  if (!found) throw new Error(`no model ${name}`)
  return found(url)
}

type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>

const loop =
  (name: string, providerOptions: ProviderOptions = {}): Loop =>
  async (url) => {
    const { text, steps } = await generateText({ model: model(name, url), ...request, providerOptions })
    return seenIn(text, steps)
  }

export const aiSdkLoops: Record<string, Loop> = {
  'ai generateText, openai.chat': loop('openai.chat'),
  // Without `store` a reasoning model is sent references to the items of earlier replies.
  'ai generateText, openai.responses': loop('openai.responses'),
  'ai generateText, openai.responses without store': loop('openai.responses', { openai: { store: false } }),
  'ai generateText, anthropic': loop('anthropic', { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } }),
  'ai generateText, google': loop('google'),
  'ai generateText, openai-compatible': loop('openai-compatible'),
  'ai streamText, anthropic': async (url) => {
    const { text, steps } = streamText({ model: model('anthropic', url), ...request })
    return seenIn(await text, await steps)
  },
}

const output = Output.object({ schema: z.object({ answer: z.number() }) })

export const aiSdkParsers: Record<string, Loop> = Object.fromEntries(
  ['openai.responses', 'anthropic', 'google'].map((name) => [
    `ai Output.object, ${name}`,
    async (url: string) =>
      (await generateText({ model: model(name, url), prompt: question, output, maxRetries: 0 })).output,
  ]),
)
