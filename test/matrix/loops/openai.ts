import OpenAI from 'openai'
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { apiKey, question, toolSpecs, weatherIn } from '../tools.ts'
import type { Loop } from './loop.ts'

const client = (url: string) => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })

const messages = [{ role: 'user' as const, content: question }]
const tools = toolSpecs.map(({ name, description, schema }) => ({
  type: 'function' as const,
  function: {
    name,
    description,
    parameters: schema,
    parse: JSON.parse,
    function: (input: unknown) => (name === 'get_weather' ? weatherIn(input) : 'noon'),
  },
}))

interface Runner {
  finalContent(): Promise<unknown>
  totalUsage(): Promise<unknown>
  readonly messages: unknown[]
}

const finish = async (runner: Runner) => ({
  text: await runner.finalContent(),
  messages: runner.messages,
  usage: await runner.totalUsage(),
})

export const openaiLoops: Record<string, Loop> = {
  'openai runTools': (url) => finish(client(url).chat.completions.runTools({ model: 'gpt-5', messages, tools })),
  'openai runTools, streaming': (url) =>
    finish(client(url).chat.completions.runTools({ model: 'gpt-5', messages, tools, stream: true })),
}

const answer = z.object({ answer: z.number() })

export const openaiParsers: Record<string, Loop> = {
  'openai chat.parse': async (url) => {
    const response_format = zodResponseFormat(answer, 'answer')
    const { choices } = await client(url).chat.completions.parse({ model: 'gpt-5', messages, response_format })
    return choices[0]?.message.parsed
  },
  'openai responses.parse': async (url) => {
    const text = { format: zodTextFormat(answer, 'answer') }
    return (await client(url).responses.parse({ model: 'gpt-5', input: question, text })).output_parsed
  },
}
