import {
  type Body,
  isFilled,
  parseValue,
  readSaidError,
  type SaidInBody,
  type SaidPart,
  saysNothing,
  UnreadableError,
} from './said.ts'
import { parseSse } from './sse.ts'

/** Adds one output item (https://platform.openai.com/docs/api-reference/responses/object). */
const addItem = (said: SaidInBody, item: Body): void => {
  switch (item.type) {
    case 'message':
      for (const part of item.content) addContent(said, part)
      break
    case 'reasoning':
      // One entry an item: how a summary is divided is told apart from its words.
      said.parts.push({
        type: 'reasoning',
        text: JSON.stringify([textsOf(item.summary), textsOf(item.content)]),
      })
      break
    case 'function_call':
    case 'custom_tool_call': {
      const custom = item.type === 'custom_tool_call'
      const text: string = custom ? item.input : item.arguments
      const name = item.namespace ? `${item.namespace}.${item.name}` : item.name
      said.parts.push({ type: 'call', name, text, value: custom ? text : parseValue(text), custom, id: item.call_id })
      break
    }
    default:
      said.parts.push({ type: 'other', kind: item.type })
  }
}

const textsOf = (list: Body): string[] => (list ?? []).map(({ text }: Body) => text)

const addContent = (said: SaidInBody, part: Body): void => {
  if (part.type === 'output_text') {
    said.parts.push({ type: 'text', text: part.text })
    if (isFilled(part.annotations)) said.carries.push('annotations')
    if (isFilled(part.logprobs)) said.carries.push('logprobs')
  } else if (part.type === 'refusal') said.parts.push({ type: 'refusal', text: part.refusal })
  else said.parts.push({ type: 'other', kind: part.type })
}

/** A response object. Its word for the end is the status, with the reason where it is incomplete. */
export const readResponses = (body: Body): SaidInBody => {
  if (!Array.isArray(body?.output)) {
    if (body?.error) return { ...saysNothing(true), error: readSaidError(body) }
    throw new UnreadableError('a response without output')
  }
  const said = saysNothing(true)
  for (const item of body.output) addItem(said, item)
  const reason = body.incomplete_details?.reason
  said.stop = reason ? `${body.status} ${reason}` : (body.status ?? null)
  if (body.status === 'failed') said.error = readSaidError(body)
  if (isFilled(body.moderation)) said.carries.push('moderation')
  said.carries.push(...phasesOf(body.output))
  return said
}

/** Agents hand the phase of a message back. */
const phasesOf = (output: Body[]): string[] => output.flatMap(({ phase }) => (phase ? [`phase ${phase}`] : []))

interface Streamed {
  text: string
  refusal: string
  reasoning: string
  input: string
}

const deltaKinds: Readonly<Record<string, keyof Streamed>> = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'refusal',
  'response.reasoning_summary_text.delta': 'reasoning',
  'response.reasoning_text.delta': 'reasoning',
  'response.function_call_arguments.delta': 'input',
  'response.custom_tool_call_input.delta': 'input',
}

/** A stream of events, from its first byte to its last: its last one repeats everything. */
export const readResponsesStream = (text: string): SaidInBody => {
  const streamed: Streamed = { text: '', refusal: '', reasoning: '', input: '' }
  const done: Body[] = []
  let said: SaidInBody | undefined
  for (const { data } of parseSse(text)) {
    if (data === '[DONE]') break
    const event = parseValue(data) as Body
    if (typeof event !== 'object' || event === null) throw new UnreadableError('an event that is no JSON object')
    if (event.type === 'error' || (!event.type && event.error)) {
      return { ...fromItems(done), error: readSaidError(event) }
    }
    const kind = deltaKinds[event.type]
    if (kind) streamed[kind] += event.delta
    if (event.type === 'response.output_item.done') done[event.output_index] = event.item
    if (/^response\.(completed|incomplete|failed)$/.test(event.type)) {
      const { response } = event
      const output = isFilled(response.output) ? response.output : done.filter(Boolean)
      said = readResponses({ ...response, output })
      // What neither the last event nor an item repeats is told by the deltas alone.
      const { text } = streamed
      if (output.length === 0 && text !== '') said.parts.push({ type: 'text', text })
    }
  }
  if (said === undefined) return fromItems(done)
  if (said.error === null) said.contradictions = contradictions(streamed, said)
  return said
}

const fromItems = (done: Body[]): SaidInBody => ({
  ...readResponses({ output: done.filter(Boolean) }),
  complete: false,
})

/** Clients show the deltas, and keep what the last event says. */
const contradictions = (streamed: Streamed, said: SaidInBody): string[] => {
  const joined = (type: SaidPart['type']) =>
    said.parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
  return [
    ...(streamed.text === joined('text') ? [] : ['other text in the deltas']),
    ...(streamed.refusal === joined('refusal') ? [] : ['other refusal in the deltas']),
    ...(streamed.input === joined('call') ? [] : ['other arguments in the deltas']),
  ]
}
