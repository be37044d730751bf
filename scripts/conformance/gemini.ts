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

/** Puts pieces of arguments (`$.a[0].b`) where they belong. */
const addPieces = (args: Body, { partialArgs = [] }: Body): void => {
  for (const piece of partialArgs) {
    const keys: string[] = piece.jsonPath.match(/[^.[\]$'"]+/g) ?? []
    const steps = [...piece.jsonPath.matchAll(/\[(\d+)\]/g)].map(([, index]) => index)
    const last = keys.pop() ?? ''
    let into = args
    for (const [nth, key] of keys.entries()) {
      const next = keys[nth + 1] ?? last
      into[key] ??= steps.includes(next) ? [] : {}
      into = into[key]
    }
    const value = piece.stringValue ?? piece.numberValue ?? piece.boolValue ?? null
    into[last] = typeof into[last] === 'string' && typeof value === 'string' ? into[last] + value : value
  }
}

/** `joins`: a text right behind another one goes on with it, as in a stream. */
const addPart = (said: SaidInBody, part: Body, kinds: string[], joins: boolean): void => {
  const kind = part.functionCall ? 'call' : part.thought === true ? 'thought' : 'text' in part ? 'text' : 'other'
  const goesOn = joins && kinds.at(-1) === kind
  const last = said.parts.at(-1)
  const open = last?.type === 'call' && last.text === '' ? last : undefined
  if (kind === 'call' && open && !part.functionCall.name) {
    addPieces(open.value as Body, part.functionCall)
    if (!part.functionCall.willContinue) open.text = JSON.stringify(open.value)
    return
  }
  if (open) open.text = JSON.stringify(open.value)
  if (kind === 'call') {
    const { name, args = {}, id } = part.functionCall
    // Arguments that come in pieces have no text until they are whole.
    const text = part.functionCall.willContinue ? '' : JSON.stringify(args)
    // Ids are optional on this wire; a call without one is told apart by its place.
    const given = id ?? `place ${said.parts.length}`
    said.parts.push({ type: 'call', name, text, value: { ...args }, custom: false, id: given })
  } else if (kind === 'other') {
    const names = Object.keys(part).filter((name) => name !== 'thoughtSignature')
    if (names.length === 0) return
    said.parts.push({ type: 'other', kind: names.join('+') })
  } else if (part.text === '') {
    return
  } else {
    const type = kind === 'thought' ? 'reasoning' : 'text'
    const last = said.parts.at(-1)
    if (goesOn && last?.type === type) last.text += part.text
    else said.parts.push({ type, text: part.text })
  }
  kinds.push(kind)
}

/** Filled members of an object; `{}` is what the API sends for grounding that found nothing. */
const holds = (value: Body): boolean =>
  isFilled(value) && (typeof value !== 'object' || Array.isArray(value) || Object.keys(value).length > 0)

const candidateExtras = ['groundingMetadata', 'citationMetadata', 'urlContextMetadata', 'logprobsResult'] as const

const reasonOf = (value: unknown): string | null =>
  value === undefined || value === null || value === '' || value === 'FINISH_REASON_UNSPECIFIED' ? null : String(value)

const addResponse = (said: SaidInBody, body: Body, kinds: string[], joins: boolean): void => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new UnreadableError('a response that is no JSON object')
  }
  if (body.error) said.error = readSaidError(body)
  const { blockReason, blockReasonMessage } = body.promptFeedback ?? {}
  if (blockReason) {
    said.stop = `prompt: ${blockReason}`
    if (blockReasonMessage) said.parts.push({ type: 'refusal', text: blockReasonMessage })
  }
  const candidates: Body[] = body.candidates ?? []
  if (candidates.length > 1 || candidates.some(({ index }) => index > 0)) said.carries.push('several candidates')
  for (const candidate of candidates) {
    for (const part of candidate.content?.parts ?? []) addPart(said, part, kinds, joins)
    said.stop = reasonOf(candidate.finishReason) ?? said.stop
    if (candidate.finishMessage) said.carries.push(`finishMessage ${candidate.finishMessage}`)
    said.carries.push(...candidateExtras.filter((name) => holds(candidate[name])))
  }
}

/** A generateContent body. */
export const readGemini = (body: Body): SaidInBody => {
  const said = saysNothing(true)
  const isResponse = body?.candidates ?? body?.promptFeedback ?? body?.usageMetadata ?? body?.error
  if (!isResponse) throw new UnreadableError('a response without candidates')
  addResponse(said, body, [], false)
  return said
}

const responsesOf = (text: string): Body[] => {
  if (!/^\uFEFF?\s*\[/.test(text)) return parseSse(text).map(({ data }) => parseValue(data))
  const list = parseValue(text.replace(/^\uFEFF/, ''))
  if (!Array.isArray(list)) throw new UnreadableError('a list of responses that is no JSON')
  return list
}

/** A streamGenerateContent body, from its first byte to its last: server-sent events, or one JSON array. */
export const readGeminiStream = (text: string): SaidInBody => {
  const said = saysNothing(false)
  const kinds: string[] = []
  for (const response of responsesOf(text)) addResponse(said, response, kinds, true)
  for (const part of said.parts) if (part.type === 'call' && part.text === '') part.text = JSON.stringify(part.value)
  said.carries = [...new Set(said.carries)].sort()
  return { ...said, complete: said.stop !== null }
}
