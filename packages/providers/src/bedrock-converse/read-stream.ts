import type { JsonObject } from '@retake/trace'
import { readFrameError } from '../aws-error.ts'
import { createFrameReader } from '../event-frames.ts'
import { toObject, toText } from '../json-members.ts'
import { createPartCollector, extend, type PartDraft } from '../part-collector.ts'
import { createReader, type StreamWire } from '../stream-reader.ts'
import type { Reply, StreamReader, WireError } from '../wire.ts'
import { readReasoningBlob } from './blobs.ts'
import { finishReply } from './read-reply.ts'
import { readCallOthers, refuseReplyBlock } from './reply-members.ts'

/** Reads the events of one reply: its blocks, `messageStop` with the reason, `metadata` with the counts. */
export const openStream = (): StreamReader => createReader(createConverseStream())

interface OpenBlock {
  draft: PartDraft
  /** The call that it began with. */
  call: JsonObject
  signature: string
  redacted: string
}

const createConverseStream = (): StreamWire => {
  const collector = createPartCollector()
  const blocks = new Map<number, OpenBlock>()
  let ending: JsonObject = {}
  let isStopped = false

  const onEvent = (event: JsonObject): 'terminated' | WireError | undefined => {
    if (event.error !== undefined) return readFrameError(toObject(event.error))
    const [[type, value] = []] = Object.entries(event)
    const payload = toObject(value)
    const index = typeof payload.contentBlockIndex === 'number' ? payload.contentBlockIndex : 0
    switch (type) {
      case 'contentBlockStart':
        onStart(toObject(payload.start), index)
        return undefined
      case 'contentBlockDelta':
        onDelta(toObject(payload.delta), index)
        return undefined
      case 'contentBlockStop': {
        const open = blocks.get(index)
        if (open) open.draft.complete = true
        return undefined
      }
      case 'messageStop':
        isStopped = true
        ending = { ...ending, ...payload }
        return undefined
      case 'metadata':
        ending = { ...ending, ...payload }
        return 'terminated'
      default:
        // `messageStart`, and events of later versions, which clients are told to skip.
        return undefined
    }
  }

  const open = (index: number, type: PartDraft['type'], call: JsonObject = {}): OpenBlock => {
    const draft = collector.open(type, toText(call.toolUseId), toText(call.name))
    const block = { draft, call, signature: '', redacted: '' }
    blocks.set(index, block)
    return block
  }

  /** Only blocks of a kind of their own have a start; text and thinking begin with a delta. */
  const onStart = (start: JsonObject, index: number): void => {
    if (Object.keys(start).length === 0) return
    refuseReplyBlock(start, `content[${index}]`)
    open(index, 'tool_use', toObject(start.toolUse))
  }

  const onDelta = (delta: JsonObject, index: number): void => {
    refuseReplyBlock(delta, `content[${index}]`)
    const known = blocks.get(index)
    if (typeof delta.text === 'string') {
      extend((known ?? open(index, 'text')).draft, delta.text)
      return
    }
    if (delta.toolUse !== undefined) {
      extend((known ?? open(index, 'tool_use')).draft, toText(toObject(delta.toolUse).input))
      return
    }
    const block = known ?? open(index, 'reasoning')
    const { text, signature, redactedContent } = toObject(delta.reasoningContent)
    extend(block.draft, toText(text))
    block.signature += toText(signature)
    block.redacted += toText(redactedContent)
  }

  const toReply = (): Reply => {
    const opaque = [...blocks.values()].flatMap(({ draft, call, signature, redacted }) => {
      const part = collector.drafts.indexOf(draft)
      return [...readReasoningBlob(signature, redacted, part), ...readCallOthers(call, part)]
    })
    return finishReply(collector.parts(), ending, opaque, collector.chunks())
  }

  return {
    createFrameReader,
    onEvent,
    // The counts behind the reason may be missing.
    isFinished: () => isStopped,
    isStopped: () => isStopped,
    toReply,
    arrived: () => {
      const complete = collector.drafts.filter((draft) => draft.complete).length
      return { parts: collector.parts(), complete, chunks: collector.chunks() }
    },
  }
}
