import {
  type Body,
  isFilled,
  parseValue,
  readSaidError,
  type SaidInBody,
  type SaidPart,
  UnreadableError,
} from './said.ts'
import { parseSse } from './sse.ts'

/** One choice while its deltas come in. */
interface Choice {
  /** In the order in which they began. */
  pieces: (Call | { type: 'text' | 'refusal' | 'reasoning'; text: string })[]
  stop: string | null
}

interface Call {
  type: 'call'
  key: unknown
  id: string
  name: string
  text: string
  custom: boolean
}

const emptyChoice = (): Choice => ({ pieces: [], stop: null })

const isCall = (piece: Choice['pieces'][number]): piece is Call => piece.type === 'call'

/** A text goes on where the last one is of its type. */
const addText = ({ pieces }: Choice, type: 'text' | 'refusal' | 'reasoning', text: unknown): void => {
  if (typeof text !== 'string' || text === '') return
  const last = pieces.at(-1)
  if (last?.type === type) last.text += text
  else pieces.push({ type, text })
}

/** Content is a string, or with Mistral a list of text and thinking chunks. */
const addContent = (choice: Choice, content: Body): void => {
  addText(choice, 'text', content)
  if (!Array.isArray(content)) return
  for (const chunk of content) {
    if (chunk.type === 'text') addText(choice, 'text', chunk.text)
    if (chunk.type === 'thinking') for (const part of chunk.thinking) addText(choice, 'reasoning', part.text)
  }
}

const addCall = (choice: Choice, call: Body, position: number): void => {
  const key = call.index ?? position
  const last = choice.pieces.filter(isCall).findLast((known) => known.key === key)
  // Some vendors give every parallel call of a stream the index 0: another id is another call.
  const isNew = last === undefined || (call.id && last.id && call.id !== last.id)
  const target: Call = isNew ? { type: 'call', key, id: '', name: '', text: '', custom: false } : last
  if (isNew) choice.pieces.push(target)
  const body = call.custom ?? call.function ?? {}
  const args = call.custom ? body.input : body.arguments
  target.id ||= call.id ?? ''
  target.name += body.name ?? ''
  target.custom ||= call.custom !== undefined
  target.text += typeof args === 'string' ? args : args === undefined || args === null ? '' : JSON.stringify(args)
}

const addMessage = (choice: Choice, message: Body): void => {
  addText(choice, 'reasoning', message.reasoning_content ?? message.reasoning)
  addContent(choice, message.content)
  addText(choice, 'refusal', message.refusal)
  for (const [position, call] of (message.tool_calls ?? []).entries()) addCall(choice, call, position)
}

const messageExtras = ['annotations', 'audio', 'images', 'citations', 'executed_tools', 'function_call'] as const
const bodyExtras = ['citations', 'search_results', 'moderation', 'prompt_logprobs'] as const

/** Names of the filled members that are neither text nor calls. */
const extrasOf = (body: Body): string[] => {
  const choices: Body[] = body.choices ?? []
  return [
    ...bodyExtras.filter((name) => isFilled(body[name])),
    ...choices.flatMap((choice) => {
      const message = choice.message ?? choice.delta ?? {}
      const logprobs = isFilled(choice.logprobs?.content) || isFilled(choice.logprobs?.refusal)
      return [...messageExtras.filter((name) => isFilled(message[name])), ...(logprobs ? ['logprobs'] : [])]
    }),
  ]
}

const partsOf = (choice: Choice): SaidPart[] =>
  choice.pieces.map((piece) => {
    if (!isCall(piece)) return piece
    const { key: _, ...call } = piece
    return { ...call, value: call.custom ? call.text : parseValue(call.text) }
  })

const toSaid = (choices: Choice[], rest: Pick<SaidInBody, 'complete' | 'carries' | 'error'>): SaidInBody => ({
  parts: choices.flatMap(partsOf),
  stop: choices[0]?.stop ?? null,
  stopText: null,
  ...rest,
  carries: [...new Set([...rest.carries, ...(choices.length > 1 ? ['several choices'] : [])])].sort(),
})

/** A Chat Completions body. */
export const readChat = (body: Body): SaidInBody => {
  if (!Array.isArray(body?.choices)) {
    if (body?.error) return toSaid([], { complete: true, carries: [], error: readSaidError(body) })
    throw new UnreadableError('a chat completion without choices')
  }
  const choices = body.choices.map((raw: Body) => {
    const choice = emptyChoice()
    addMessage(choice, raw.message ?? {})
    choice.stop = raw.finish_reason ?? null
    return choice
  })
  return toSaid(choices, { complete: true, carries: extrasOf(body), error: null })
}

/** A Chat Completions stream, from its first byte to its last. */
export const readChatStream = (text: string): SaidInBody => {
  const choices: Choice[] = []
  const carries: string[] = []
  let error: SaidInBody['error'] = null
  let done = false
  for (const { data } of parseSse(text)) {
    if (data === '[DONE]') {
      done = true
      break
    }
    const chunk = parseValue(data) as Body
    if (typeof chunk !== 'object' || chunk === null) throw new UnreadableError('an event that is no JSON object')
    if (chunk.error) error = readSaidError(chunk)
    carries.push(...extrasOf(chunk))
    for (const raw of chunk.choices ?? []) {
      const index = raw.index ?? 0
      choices[index] ??= emptyChoice()
      addMessage(choices[index], raw.delta ?? {})
      choices[index].stop = raw.finish_reason ?? choices[index].stop
    }
  }
  const complete = done || choices.some((choice) => choice?.stop)
  return toSaid(choices.filter(Boolean), { complete, carries, error })
}
