import { type Body, parseValue, readSaidError, type SaidInBody, saysNothing, UnreadableError } from './said.ts'
import { parseSse } from './sse.ts'

const addContent = (said: SaidInBody, part: Body): void => {
  const { type, text, toolCallId: id, toolName: name, input } = part
  if (type === 'text' || type === 'reasoning') said.parts.push({ type, text })
  else if (type === 'tool-call') {
    said.parts.push({ type: 'call', name, text: input, value: parseValue(input || '{}'), custom: false, id })
  } else said.parts.push({ type: 'other', kind: type })
  if (part.citations?.length > 0) said.carries.push('citations')
}

/** A result of Vercel's AI Gateway. */
export const readGateway = (body: Body): SaidInBody => {
  if (!Array.isArray(body?.content)) throw new UnreadableError('a result without content')
  const said = { ...saysNothing(true), stop: body.finishReason?.unified ?? null }
  for (const part of body.content) addContent(said, part)
  return said
}

/** A stream of its parts. */
export const readGatewayStream = (text: string): SaidInBody => {
  const said = saysNothing(false)
  const open = new Map<string, Body>()
  for (const { data } of parseSse(text)) {
    const part = parseValue(data) as Body
    const [, kind, step] = /^(text|reasoning)-(start|delta|end)$/.exec(part?.type ?? '') ?? []
    if (step === 'start') open.set(part.id, { type: kind, text: '' })
    if (step === 'delta') open.get(part.id).text += part.delta
    if (step === 'end') addContent(said, { ...open.get(part.id), citations: part.citations })
    if (['tool-call', 'tool-result', 'source', 'file'].includes(part?.type)) addContent(said, part)
    if (part?.type === 'error') said.error = readSaidError(part)
    if (part?.type === 'finish') said.stop = part.finishReason?.unified ?? null
    if (part?.type === 'finish') said.complete = true
  }
  return said
}
