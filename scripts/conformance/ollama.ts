import {
  type Body,
  isFilled,
  parseValue,
  readSaidError,
  type SaidInBody,
  saysNothing,
  UnreadableError,
} from './said.ts'

/** One reply, or a line of a stream: a text goes on with one of its type before it. */
const addReply = (said: SaidInBody, body: Body): void => {
  if (typeof body !== 'object' || body === null) throw new UnreadableError('a line that is no JSON object')
  if (body.error) said.error = readSaidError(body)
  const { thinking, content, tool_calls = [], images } = body.message ?? {}
  const add = (type: 'reasoning' | 'text', text: unknown): void => {
    if (typeof text !== 'string' || text === '') return
    const last = said.parts.at(-1)
    if (last?.type === type) last.text += text
    else said.parts.push({ type, text })
  }
  add('reasoning', thinking)
  add('text', content)
  for (const { function: called, id } of tool_calls) {
    const { name, arguments: value } = called
    // Ids are optional on this wire; a call without one is told apart by its place.
    const given = id ?? `place ${said.parts.length}`
    said.parts.push({ type: 'call', name, text: JSON.stringify(value), value, custom: false, id: given })
  }
  if (isFilled(images)) said.carries.push('images')
  if (isFilled(body.logprobs)) said.carries.push('logprobs')
  if (body.done_reason) said.stop = body.done_reason
  said.complete = body.done === true
}

/** A chat reply of Ollama. */
export const readOllama = (body: Body): SaidInBody => {
  if (!body?.message && !body?.error) throw new UnreadableError('a reply without message')
  const said = saysNothing(false)
  addReply(said, body)
  return said
}

/** A stream of such replies, one a line. */
export const readOllamaStream = (text: string): SaidInBody => {
  const said = saysNothing(false)
  for (const line of text.split('\n')) if (line.trim() !== '') addReply(said, parseValue(line))
  return said
}
