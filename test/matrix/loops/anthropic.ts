import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { z } from 'zod'
import { apiKey, brokenClock, question, weatherIn } from '../tools.ts'
import type { Loop } from './loop.ts'

const client = (url: string) => new Anthropic({ apiKey, baseURL: url, maxRetries: 0 })

const request = {
  model: 'claude-sonnet-5-5',
  max_tokens: 2000,
  messages: [{ role: 'user' as const, content: question }],
}

/** With the threads that are the default of this helper. */
const runner = (url: string, stream: boolean) =>
  client(url).beta.messages.toolRunner({
    ...request,
    stream,
    system: 'Be brief.',
    thinking: { type: 'enabled', budget_tokens: 1024 },
    tools: [
      betaZodTool({
        name: 'get_weather',
        description: 'Tells the weather.',
        inputSchema: z.object({ city: z.string() }),
        run: weatherIn,
      }),
      betaZodTool({ name: 'get_time', description: 'Tells the time.', inputSchema: z.object({}), run: brokenClock }),
    ],
  })

const finish = async (url: string, stream: boolean) => {
  const { content, stop_reason, usage, model } = await runner(url, stream).runUntilDone()
  return { content, stop_reason, usage, model }
}

export const anthropicLoops: Record<string, Loop> = {
  'anthropic toolRunner': (url) => finish(url, false),
  'anthropic toolRunner, streaming': (url) => finish(url, true),
}

export const anthropicParsers: Record<string, Loop> = {
  'anthropic messages.parse': async (url) => {
    const format = zodOutputFormat(z.object({ answer: z.number() }))
    return (await client(url).messages.parse({ ...request, output_config: { format } })).parsed_output
  },
}
