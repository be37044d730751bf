import { type Body, isFilled, parseValue, readSaidError, type Said, UnreadableError } from './said.ts'

const empty = (): Said => ({
  status: 200,
  parts: [],
  reasoning: [],
  stop: null,
  stopText: null,
  complete: false,
  carries: [],
  error: null,
})

/** One reply, or a line of a stream: texts go on with the one before if `kinds` ends with them. */
const addReply = (said: Said, body: Body, kinds: string[]): void => {
  if (typeof body !== 'object' || body === null) throw new UnreadableError('a line that is no JSON object')
  if (body.error) said.error = readSaidError(body)
  const { thinking, content, tool_calls = [], images } = body.message ?? {}
  if (thinking) {
    if (kinds.at(-1) === 'thinking') said.reasoning[said.reasoning.length - 1] += thinking
    else said.reasoning.push(thinking)
    kinds.push('thinking')
  }
  if (content) {
    const last = said.parts.at(-1)
    if (kinds.at(-1) === 'text' && last?.type === 'text') last.text += content
    else said.parts.push({ type: 'text', text: content })
    kinds.push('text')
  }
  for (const { function: called, id } of tool_calls) {
    const { name, arguments: value } = called
    // Ids are optional on this wire; a call without one is told apart by its place.
    const given = id ?? `place ${said.parts.length}`
    said.parts.push({ type: 'call', name, text: JSON.stringify(value), value, custom: false, id: given })
    kinds.push('call')
  }
  if (isFilled(images)) said.carries.push('images')
  if (isFilled(body.logprobs)) said.carries.push('logprobs')
  if (body.done_reason) said.stop = body.done_reason
  said.complete = body.done === true
}

/** A chat reply of Ollama. */
export const readOllama = (body: Body): Said => {
  if (!body?.message && !body?.error) throw new UnreadableError('a reply without message')
  const said = empty()
  addReply(said, body, [])
  return said
}

/** A stream of such replies, one a line. */
export const readOllamaStream = (text: string): Said => {
  const said = empty()
  const kinds: string[] = []
  for (const line of text.split('\n')) if (line.trim() !== '') addReply(said, parseValue(line), kinds)
  return said
}
