import OpenAI from 'openai'
import { type Ask, call, collect, type Seen, spoken } from '../seen.ts'
import { apiKey, chatTools, question, toolSpecs } from '../tools.ts'
import { seenInChunks } from './chat-chunks.ts'

const client = (url: string) => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })

const chatRequest = { model: 'gpt-5', messages: [{ role: 'user' as const, content: question }], tools: chatTools }
const responsesRequest = {
  model: 'gpt-5',
  input: question,
  tools: toolSpecs.map(({ name, description, schema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: schema,
    strict: false,
  })),
}

const seenInChat = ({ choices, model, usage }: OpenAI.ChatCompletion): Seen => {
  const message = choices[0]?.message
  return {
    text: message?.content ?? '',
    calls: (message?.tool_calls ?? []).flatMap((made) =>
      made.type === 'function' ? [call(made.function.name, made.function.arguments)] : [],
    ),
    choices: choices.map(({ message: { annotations, ...told }, ...choice }) => ({ ...choice, message: told })),
    model,
    usage,
  }
}

const seenInResponse = ({ output, ...response }: OpenAI.Responses.Response): Seen => ({
  text: output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join(''),
  calls: output.flatMap((item) => (item.type === 'function_call' ? [call(item.name, item.arguments)] : [])),
  output,
  outputText: response.output_text,
  status: response.status,
  incomplete: response.incomplete_details,
  error: response.error,
  model: response.model,
  usage: response.usage,
})

const isLast = (event: OpenAI.Responses.ResponseStreamEvent) =>
  event.type === 'response.completed' || event.type === 'response.incomplete' || event.type === 'response.failed'

export const openaiAsks: Record<string, Ask> = {
  'openai chat.create': async (url) => seenInChat(await client(url).chat.completions.create(chatRequest)),
  'openai chat.create, streaming': async (url) => {
    const request = { ...chatRequest, stream: true as const, stream_options: { include_usage: true } }
    const chunks = await collect(await client(url).chat.completions.create(request))
    return seenInChunks(chunks, chunks.at(-1)?.usage)
  },
  'openai chat.stream': async (url) =>
    seenInChat(await client(url).chat.completions.stream(chatRequest).finalChatCompletion()),
  'openai responses.create': async (url) => seenInResponse(await client(url).responses.create(responsesRequest)),
  'openai responses.create, streaming': async (url) => {
    const events = await collect(await client(url).responses.create({ ...responsesRequest, stream: true }))
    const last = events.find(isLast)
    if (!last) throw new Error('the stream had no last event')
    return {
      ...seenInResponse(last.response),
      types: events.map(({ type }) => type),
      deltas: spoken(events.flatMap((event) => ('delta' in event ? [{ [event.type]: event.delta }] : []))),
    }
  },
  'openai responses.stream': async (url) =>
    seenInResponse((await client(url).responses.stream(responsesRequest).finalResponse()) as OpenAI.Responses.Response),
}
