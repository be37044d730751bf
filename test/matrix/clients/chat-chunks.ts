import type { Seen } from '../seen.ts'
import { spoken } from '../seen.ts'

/** What a chunk of a chat completion has in the SDKs of OpenAI and Groq. */
interface Chunk {
  model: string
  choices: {
    delta: {
      content?: string | null
      tool_calls?: { index: number; id?: string; function?: { name?: string; arguments?: string } }[]
    }
    finish_reason?: string | null
  }[]
  usage?: unknown
}

/** What an agent puts together that reads the chunks itself. */
export const seenInChunks = (chunks: Chunk[], usage: unknown): Seen => {
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))
  const calls: [string, string][] = []
  const said = deltas.map(({ tool_calls: called = [], ...rest }) => {
    for (const { index, function: given } of called) {
      const [name = '', args = ''] = calls[index] ?? []
      calls[index] = [name || (given?.name ?? ''), args + (given?.arguments ?? '')]
    }
    return { ...rest, role: null, arguments: called.map(({ function: given }) => given?.arguments ?? '').join('') }
  })
  return {
    text: deltas.map(({ content }) => content ?? '').join(''),
    calls,
    ids: deltas.flatMap(({ tool_calls: called = [] }) => called.flatMap(({ id }) => (id ? [{ id }] : []))),
    deltas: spoken(said),
    stop: chunks.flatMap(({ choices }) => choices.flatMap(({ finish_reason: reason }) => reason ?? [])),
    models: [...new Set(chunks.map(({ model }) => model))],
    usage,
  }
}
