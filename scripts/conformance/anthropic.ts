import { parseFrames } from './frames.ts'
import {
  type Body,
  isFilled,
  parseValue,
  readSaidError,
  type SaidInBody,
  saysNothing,
  UnreadableError,
} from './said.ts'
import { parseSse } from './sse.ts'

const addBlock = (said: SaidInBody, block: Body, inputText?: string): void => {
  switch (block.type) {
    case 'text':
      said.parts.push({ type: 'text', text: block.text })
      if (isFilled(block.citations)) said.carries.push('citations')
      break
    case 'thinking':
      said.parts.push({ type: 'reasoning', text: block.thinking })
      break
    case 'redacted_thinking':
      said.parts.push({ type: 'reasoning', text: `[redacted] ${block.data}` })
      break
    case 'tool_use': {
      // A call without arguments streams no text at all; SDKs read it as {}.
      const text = inputText || JSON.stringify(block.input ?? {})
      said.parts.push({ type: 'call', name: block.name, text, value: parseValue(text), custom: false, id: block.id })
      break
    }
    default:
      said.parts.push({ type: 'other', kind: block.type })
  }
}

const addStop = (said: SaidInBody, source: Body): void => {
  said.stop = source.stop_reason ?? said.stop
  said.stopText = source.stop_sequence ?? said.stopText
}

/** A Messages body. */
export const readAnthropic = (body: Body): SaidInBody => {
  const said = saysNothing(true)
  if (body?.type === 'error') return { ...said, error: readSaidError(body) }
  if (!Array.isArray(body?.content)) throw new UnreadableError('a message without content')
  for (const block of body.content) addBlock(said, block)
  addStop(said, body)
  if (isFilled(body.container)) said.carries.push('container')
  return said
}

interface OpenBlock {
  block: Body
  input: string
}

const addDelta = (open: OpenBlock | undefined, delta: Body): void => {
  if (open === undefined) throw new UnreadableError('a delta without its block')
  const { block } = open
  if (delta.type === 'text_delta') block.text += delta.text
  if (delta.type === 'thinking_delta') block.thinking += delta.thinking
  if (delta.type === 'input_json_delta') open.input += delta.partial_json
  if (delta.type === 'citations_delta') block.citations = [...(block.citations ?? []), delta.citation]
}

/** The same in frames of AWS, as one character a byte: each holds an event. */
export const readInvokeStream = (text: string): SaidInBody => {
  const frames = parseFrames(text)
  const events = frames.map(({ isError, payload, type }) => {
    const data = isError ? JSON.stringify({ type: 'error', error: { type, ...payload } }) : decodeEvent(payload)
    return `event: ${(parseValue(data) as Body)?.type}\ndata: ${data}\n\n`
  })
  return readAnthropicStream(events.join(''))
}

const decodeEvent = (payload: Body): string => Buffer.from(payload.bytes, 'base64').toString('utf8')

/** A Messages stream, from its first byte to its last. Events without an `event:` line do not count, as in the SDK. */
export const readAnthropicStream = (text: string): SaidInBody => {
  const said = saysNothing(false)
  const blocks: (OpenBlock | undefined)[] = []
  for (const { event, data } of parseSse(text)) {
    if (event === 'message') continue
    const body = parseValue(data) as Body
    if (typeof body !== 'object' || body === null) throw new UnreadableError('an event that is no JSON object')
    if (event === 'error') said.error = readSaidError(body)
    if (event === 'content_block_start') blocks[body.index] = { block: { ...body.content_block }, input: '' }
    if (event === 'content_block_delta') addDelta(blocks[body.index], body.delta)
    if (event === 'message_delta') addStop(said, body.delta)
    if (event === 'message_stop') said.complete = true
  }
  for (const open of blocks) if (open) addBlock(said, open.block, open.input)
  return said
}
