import { parseFrames } from './frames.ts'
import { type Body, isFilled, readSaidError, type SaidInBody, saysNothing, UnreadableError } from './said.ts'

const addBlock = (said: SaidInBody, block: Body): void => {
  const { text, toolUse, reasoningContent, ...others } = block
  if (toolUse) {
    const { toolUseId: id, name, input } = toolUse
    const value = typeof input === 'string' ? JSON.parse(input || '{}') : input
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    said.parts.push({ type: 'call', name, text, value, custom: false, id })
  } else if (reasoningContent) {
    const { reasoningText, redactedContent } = reasoningContent
    said.parts.push({ type: 'reasoning', text: reasoningText?.text ?? `redacted ${redactedContent}` })
  } else if (text !== undefined) {
    said.parts.push({ type: 'text', text })
  }
  said.carries.push(...Object.keys(others))
}

/** A reply of Converse. */
export const readConverse = (body: Body): SaidInBody => {
  const content = body?.output?.message?.content
  if (!Array.isArray(content)) throw new UnreadableError('a reply without content')
  const said = { ...saysNothing(true), stop: body.stopReason ?? null }
  for (const block of content) addBlock(said, block)
  if (isFilled(body.trace)) said.carries.push('trace')
  return said
}

/** A stream of ConverseStream, its bytes as latin-1 text. */
export const readConverseStream = (text: string): SaidInBody => {
  const said = saysNothing(false)
  const blocks = new Map<number, Body>()
  for (const { type, isError, payload } of parseFrames(text)) {
    if (isError) said.error = { ...readSaidError(payload), type }
    const { contentBlockIndex: index, start, delta } = payload ?? {}
    const block = blocks.get(index) ?? {}
    if (start?.toolUse) block.toolUse = { ...start.toolUse, input: '' }
    if (start && !start.toolUse) Object.assign(block, start)
    if (delta) addDelta(block, delta)
    if (index !== undefined) blocks.set(index, block)
    if (type === 'messageStop') said.stop = payload.stopReason ?? null
    if (isFilled(payload?.trace)) said.carries.push('trace')
  }
  for (const [, block] of [...blocks].sort(([a], [b]) => a - b)) addBlock(said, block)
  said.complete = said.stop !== null
  return said
}

const addDelta = (block: Body, { text, toolUse, reasoningContent, ...others }: Body): void => {
  if (text !== undefined) block.text = (block.text ?? '') + text
  if (toolUse) block.toolUse.input += toolUse.input
  if (reasoningContent?.redactedContent) block.reasoningContent = reasoningContent
  else if (reasoningContent) {
    const before = block.reasoningContent?.reasoningText?.text ?? ''
    block.reasoningContent = { reasoningText: { text: before + (reasoningContent.text ?? '') } }
  }
  Object.assign(block, others)
}
