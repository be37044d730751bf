import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, toObject, toObjects, toText } from '../json-members.ts'
import { createPartCollector, extend, type PartDraft } from '../part-collector.ts'
import { joinOthers, othersBlob, othersOf, refuseMembers } from '../reply-members.ts'
import { createReader, type StreamWire } from '../stream-reader.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply, StreamReader, WireError } from '../wire.ts'
import {
  contentChunksBlob,
  groqUsageBlob,
  messageBlob,
  messageBlobs,
  type ReasoningField,
  readCallBlobs,
  reasoningFieldBlob,
  reasoningFieldOf,
} from './blobs.ts'
import { readContentChunks, refuseLogprobs } from './content-chunks.ts'
import { withEmptyText } from './empty-text.ts'
import { readStreamError } from './error.ts'
import { choiceMembers, groqMembers, messageMembers, replyMembers } from './reply-members.ts'
import { readStop } from './stop.ts'
import { type ReadUsage, readUsage } from './usage.ts'

/** Reads the chunks of one completion. `[DONE]` ends them; vendors without it end with a finish reason. */
export const openStream = (): StreamReader => createReader(createChatStream())

const createChatStream = (): StreamWire => {
  const collector = createPartCollector()
  const calls = new Map<number | string, PartDraft>()
  const callBlobs = new Map<PartDraft, JsonObject>()
  const toBeSentBack: JsonObject = {}
  const others = { reply: {}, choice: {}, message: {}, groq: {} }
  const chunkOthers = new Map<PartDraft, JsonObject>()
  const fields = new Set<ReasoningField>()
  let latest: PartDraft | undefined
  let inChunks = false
  let hasContent = false
  let reason: string | undefined
  let servedModel = ''
  let usage: ReadUsage = { opaque: [] }
  let isGroqUsage = false

  const onChunk = (chunk: JsonObject): WireError | undefined => {
    if (!isNothing(chunk.error)) return readStreamError(chunk, reason)
    refuseMembers(chunk, replyMembers)
    others.reply = joinOthers(others.reply, othersOf(chunk, replyMembers))
    servedModel ||= toText(chunk.model)
    const ofGroq = toObject(chunk.x_groq)
    others.groq = joinOthers(others.groq, othersOf(ofGroq, groqMembers))
    isGroqUsage ||= !isNothing(ofGroq.usage)
    const counted = [chunk.usage, ofGroq.usage].map(readUsage).find(({ tokens }) => tokens)
    if (counted) usage = counted
    for (const choice of toObjects(chunk.choices)) {
      if (typeof choice.index === 'number' && choice.index > 0) throw unsupported('n > 1', 'choices[1]')
      refuseLogprobs(choice)
      others.choice = joinOthers(others.choice, othersOf(choice, choiceMembers))
      // Perplexity repeats beside each delta all that came so far.
      if (!isNothing(choice.message)) others.choice = joinOthers(others.choice, { message: choice.message ?? null })
      onDelta(toObject(choice.delta))
      const word = toText(choice.finish_reason)
      if (word !== '') reason = word
    }
    return undefined
  }

  const onDelta = (delta: JsonObject): void => {
    refuseMembers(delta, messageMembers, 'choices[0].delta')
    others.message = joinOthers(others.message, othersOf(delta, messageMembers), true)
    const field = reasoningFieldOf(delta)
    if (field) {
      fields.add(field)
      collector.append('reasoning', toText(delta[field]))
    }
    onContent(delta.content)
    collector.append('refusal', toText(delta.refusal))
    for (const call of toObjects(delta.tool_calls)) onCall(call)
    for (const name of messageBlobs) {
      const value = delta[name]
      if (value === undefined || isNothing(value)) continue
      Object.assign(toBeSentBack, joinOthers(toBeSentBack, { [name]: value }))
    }
  }

  const onContent = (content: JsonValue | undefined): void => {
    if (typeof content === 'string') {
      hasContent = true
      collector.append('text', content)
    }
    if (!Array.isArray(content)) return
    inChunks = true
    for (const { type, text, others } of readContentChunks(content, 'choices[0].delta.content')) {
      collector.append(type, text)
      const draft = collector.drafts.at(-1)
      if (draft?.type === type) chunkOthers.set(draft, joinOthers(chunkOthers.get(draft) ?? {}, others))
    }
  }

  const onCall = (call: JsonObject): void => {
    const custom = isJsonObject(call.custom)
    const given = toObject(custom ? call.custom : call.function)
    const draft = draftOf(call, given)
    draft.id ||= toText(call.id)
    // Vendors repeat the name in each delta.
    draft.name = toText(given.name) || draft.name
    draft.custom ||= custom || call.type === 'custom'
    const args = custom ? given.input : given.arguments
    extend(draft, isJsonObject(args) ? JSON.stringify(args) : toText(args))
    if (readCallBlobs(call, 0).length > 0) callBlobs.set(draft, call)
  }

  /** Deltas of one call share an index. Vendors leave it out, or give the same one to calls with ids of their own. */
  const draftOf = (call: JsonObject, given: JsonObject): PartDraft => {
    const id = toText(call.id)
    const begins = toText(given.name) !== ''
    const key = typeof call.index === 'number' ? call.index : id
    // What has neither a name nor an id goes on with a call, also where only later deltas are numbered.
    const known = calls.get(key) ?? (begins || id !== '' ? undefined : latest)
    const isAnother = known && begins && (key === '' || (id !== '' && known.id !== '' && known.id !== id))
    if (known && !isAnother) return known
    latest = collector.open('tool_use')
    calls.set(key, latest)
    return latest
  }

  const toReply = (): Reply => {
    const told = collector.parts()
    const parts = hasContent ? withEmptyText(told) : told
    const indexOf = (draft: PartDraft): number => {
      const part = told[collector.drafts.indexOf(draft)]
      return part ? parts.indexOf(part) : -1
    }
    const [field] = fields
    const opaque: Opaque[] = [
      ...(field && fields.size === 1 ? [reasoningFieldBlob(field)] : []),
      ...(inChunks ? [contentChunksBlob] : []),
      ...usage.opaque,
      ...(isGroqUsage ? [groqUsageBlob] : []),
      ...Object.entries(others).flatMap(([place, members]) => othersBlob(place, members)),
      ...Object.entries(toBeSentBack).map(([name, value]) => messageBlob(name, value)),
      ...[...chunkOthers].flatMap(([draft, members]) => othersBlob('chunk', members, indexOf(draft))),
      ...[...callBlobs].flatMap(([draft, call]) => readCallBlobs(call, indexOf(draft))),
    ]
    const chunks = collector.chunks()
    return {
      turn: { parts, ...readStop(reason ?? '', parts) },
      extras: {
        ...(usage.tokens && { tokens: usage.tokens }),
        ...(servedModel !== '' && { servedModel }),
        ...(chunks.length > 0 && { chunks }),
        ...(opaque.length > 0 && { opaque }),
      },
    }
  }

  return {
    endWord: '[DONE]',
    onEvent: onChunk,
    isFinished: () => reason !== undefined,
    toReply,
    arrived: () => {
      const parts = collector.parts()
      // Nothing on this wire tells that a part is over but the next one.
      return { parts, complete: Math.max(0, parts.length - 1), chunks: collector.chunks(), servedModel }
    },
  }
}
