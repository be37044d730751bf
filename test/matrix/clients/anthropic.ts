import Anthropic from '@anthropic-ai/sdk'
import { type Ask, call, collect, type Seen, spoken } from '../seen.ts'
import { apiKey, question, toolSpecs } from '../tools.ts'

const client = (url: string) => new Anthropic({ apiKey, baseURL: url, maxRetries: 0 })

const request = {
  model: 'claude-sonnet-5-5',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: question }],
  tools: toolSpecs.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
}

const seenInMessage = ({ content, ...rest }: Anthropic.Message | Anthropic.Beta.BetaMessage): Seen => ({
  text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
  calls: content.flatMap((block) => (block.type === 'tool_use' ? [call(block.name, block.input)] : [])),
  content,
  ...rest,
})

const seenInEvents = (events: Anthropic.RawMessageStreamEvent[]): Seen => {
  const texts: string[] = []
  const calls: [string, string][] = []
  const told: Seen = { text: '', calls: [] }
  for (const event of events) {
    if (event.type === 'content_block_start' && event.content_block.type === 'tool_use')
      calls[event.index] = [event.content_block.name, '']
    if (event.type === 'message_delta') Object.assign(told, event.delta, { outputTokens: event.usage.output_tokens })
    if (event.type !== 'content_block_delta') continue
    if (event.delta.type === 'text_delta') texts.push(event.delta.text)
    const made = calls[event.index]
    if (event.delta.type === 'input_json_delta' && made) made[1] += event.delta.partial_json
  }
  const [start] = events
  return {
    ...told,
    text: texts.join(''),
    calls: calls.filter(Boolean),
    model: start?.type === 'message_start' && start.message.model,
    inputTokens: start?.type === 'message_start' && start.message.usage.input_tokens,
    blocks: events.flatMap((event) => (event.type === 'content_block_start' ? [event.content_block] : [])),
    deltas: spoken(
      events.flatMap((event) => {
        if (event.type !== 'content_block_delta') return []
        const { type, ...said } = event.delta
        return [{ ...said }]
      }),
    ),
  }
}

export const anthropicAsks: Record<string, Ask> = {
  'anthropic messages.create': async (url) => seenInMessage(await client(url).messages.create(request)),
  'anthropic messages.create, streaming': async (url) =>
    seenInEvents(await collect(await client(url).messages.create({ ...request, stream: true }))),
  'anthropic messages.stream': async (url) => seenInMessage(await client(url).messages.stream(request).finalMessage()),
  'anthropic beta.messages.stream': async (url) =>
    seenInMessage(await client(url).beta.messages.stream(request).finalMessage()),
}
