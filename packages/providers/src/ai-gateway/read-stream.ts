import type { JsonObject } from '@retake/trace'
import { toText } from '../json-members.ts'
import { readWords } from '../openai-error.ts'
import { createPartCollector, extend, type PartDraft } from '../part-collector.ts'
import { createReader, type StreamWire } from '../stream-reader.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply, StreamReader, WireError } from '../wire.ts'
import { finishReply } from './read-reply.ts'
import { othersOfPart, readPartOthers, refusePart } from './reply-members.ts'

/** Reads the parts of one stream; `finish` is the last, and holds the reason and the counts. */
export const openStream = (): StreamReader => createReader(createPartStream())

interface OpenPart {
  draft: PartDraft
  others: JsonObject
}

const createPartStream = (): StreamWire => {
  const collector = createPartCollector()
  /** By the id of a text or of thinking, or of a call. */
  const open = new Map<string, OpenPart>()
  const parts: OpenPart[] = []
  let ending: JsonObject = {}

  const onPart = (part: JsonObject): 'terminated' | WireError | undefined => {
    const type = toText(part.type)
    refusePart(part, 'the stream')
    switch (type) {
      case 'stream-start':
        ending = { ...ending, ...part }
        return undefined
      case 'response-metadata':
        ending = { ...ending, response: part }
        return undefined
      case 'text-start':
      case 'reasoning-start':
        begin(part, type === 'text-start' ? 'text' : 'reasoning')
        return undefined
      case 'tool-input-start':
        begin(part, 'tool_use', toText(part.toolName))
        return undefined
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-input-delta':
        extend(goOn(part).draft, toText(part.delta))
        return undefined
      case 'text-end':
      case 'reasoning-end':
        goOn(part).draft.complete = true
        return undefined
      case 'tool-input-end':
        goOn(part)
        return undefined
      case 'tool-call':
        onCall(part)
        return undefined
      case 'finish':
        ending = { ...ending, ...part }
        return 'terminated'
      case 'error':
        return { status: 200, kind: 'server', ...readWords({ error: part.error ?? null }) }
      default:
        // `ping`, `raw`, and parts of later versions, which the SDK skips; anything without a type is no part.
        if (type === '') throw unsupported('unreadable reply', 'type')
        return undefined
    }
  }

  const begin = (part: JsonObject, type: PartDraft['type'], name = ''): OpenPart => {
    const id = toText(type === 'tool_use' ? (part.toolCallId ?? part.id) : part.id)
    const opened = { draft: collector.open(type, type === 'tool_use' ? id : '', name), others: othersOfPart(part) }
    parts.push(opened)
    open.set(id, opened)
    return opened
  }

  const goOn = (part: JsonObject): OpenPart => {
    const known = open.get(toText(part.id))
    if (!known) throw unsupported('unreadable reply', `${toText(part.type)} of no part`)
    known.others = { ...known.others, ...othersOfPart(part) }
    return known
  }

  /** The whole call behind its input in pieces, where that came. */
  const onCall = (part: JsonObject): void => {
    const known = open.get(toText(part.toolCallId)) ?? begin(part, 'tool_use', toText(part.toolName))
    known.others = { ...known.others, ...othersOfPart(part) }
    known.draft.text = toText(part.input)
    known.draft.complete = true
  }

  const toReply = (): Reply => {
    const opaque = parts.flatMap(({ others }, index) => readPartOthers(others, index))
    return finishReply(collector.parts(), ending, opaque, collector.chunks())
  }

  return {
    onEvent: onPart,
    // The SDK calls a stream without its last part interrupted.
    isFinished: () => false,
    toReply,
    arrived: () => {
      const complete = collector.drafts.filter((draft) => draft.complete).length
      return { parts: collector.parts(), complete, chunks: collector.chunks() }
    },
  }
}
