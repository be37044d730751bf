import { type ChatResponse, Ollama } from 'ollama'
import { type Ask, call, collect, type Seen, spoken } from '../seen.ts'
import { chatTools, question } from '../tools.ts'

const client = (url: string) => new Ollama({ host: url })

const request = { model: 'qwen3:8b', messages: [{ role: 'user', content: question }], tools: chatTools }

const seenIn = (responses: ChatResponse[]): Seen => {
  const messages = responses.map(({ message }) => message)
  const { done_reason, model, prompt_eval_count, eval_count } = responses.at(-1) ?? {}
  return {
    text: messages.map(({ content }) => content).join(''),
    calls: messages.flatMap(({ tool_calls = [] }) =>
      tool_calls.map(({ function: made }) => call(made.name, made.arguments)),
    ),
    deltas: spoken(messages.map(({ content, thinking }) => ({ content, thinking }))),
    ids: messages.flatMap(({ tool_calls = [] }) => tool_calls.map((made) => 'id' in made && { id: made.id })),
    stop: done_reason,
    model,
    usage: { prompt_eval_count, eval_count },
  }
}

export const ollamaAsks: Record<string, Ask> = {
  'ollama chat': async (url) => seenIn([await client(url).chat(request)]),
  'ollama chat, streaming': async (url) => seenIn(await collect(await client(url).chat({ ...request, stream: true }))),
}
