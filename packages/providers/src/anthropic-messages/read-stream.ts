import type { JsonObject, ReplyPart } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { otherMembers, toObject, toObjects, toText } from '../json-members.ts'
import { createPartCollector, extend, type PartDraft } from '../part-collector.ts'
import { joinOthers, othersBlob, othersOf, refuseMembers } from '../reply-members.ts'
import { createReader, type StreamWire } from '../stream-reader.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply, StreamReader, WireError } from '../wire.ts'
import { toToolName } from './blocks.ts'
import { readStreamError } from './error.ts'
import { finishReply, readBlockBlobs, refuseReplyBlock } from './read-reply.ts'
import { blockMembers, endingMembers, messageMembers } from './reply-members.ts'
import { readStartUsage, readUsage } from './usage.ts'

/** Reads the events of one message (https://platform.claude.com/docs/en/build-with-claude/streaming). */
export const openStream = (): StreamReader => createReader(createMessageStream())

interface OpenBlock {
  draft: PartDraft
  block: JsonObject
  /** Its arguments came in deltas. */
  streamed?: boolean
}

export const createMessageStream = (): StreamWire => {
  const collector = createPartCollector()
  const blocks = new Map<number, OpenBlock>()
  let ending: JsonObject = {}
  let servedModel = ''
  let usage: JsonObject = {}
  let others: JsonObject = {}
  let counted: Opaque[] = []
  let started = false

  const onEvent = (event: JsonObject): 'terminated' | WireError | undefined => {
    const index = typeof event.index === 'number' ? event.index : 0
    switch (event.type) {
      case 'message_start':
        onStart(toObject(event.message))
        return undefined
      case 'content_block_start':
        onBlock(toObject(event.content_block), index)
        return undefined
      case 'content_block_delta':
        onDelta(toObject(event.delta), index)
        return undefined
      case 'content_block_stop': {
        const open = blocks.get(index)
        if (open) open.draft.complete = true
        return undefined
      }
      case 'message_delta':
        onEnding(toObject(event.delta))
        usage = withCounts(usage, event)
        others = joinOthers(others, othersOf(event, endingMembers))
        return undefined
      case 'message_stop':
        return 'terminated'
      case 'error':
        return readStreamError(event)
      default:
        // `ping`, and events of later versions, which clients are told to skip.
        return undefined
    }
  }

  const onStart = (message: JsonObject): void => {
    // A gateway that tried again in the middle. SDKs differ on what that is.
    if (started) throw unsupported('unreadable reply', 'a second message_start')
    started = true
    servedModel = toText(message.model)
    usage = withCounts(usage, message)
    counted = readStartUsage(message.usage)
    others = othersOf(message, messageMembers)
    refuseMembers(message, messageMembers)
    for (const [index, block] of toObjects(message.content).entries()) onBlock(block, index)
    if (toText(message.stop_reason) !== '') onEnding(message)
  }

  const onBlock = (block: JsonObject, index: number): void => {
    refuseReplyBlock(block, `content[${index}]`)
    const type = block.type === 'text' || block.type === 'tool_use' ? block.type : 'reasoning'
    const draft = collector.open(type, toText(block.id), toToolName(block))
    extend(draft, toText(type === 'text' ? block.text : block.thinking))
    blocks.set(index, { draft, block: { ...block } })
  }

  const onDelta = (delta: JsonObject, index: number): void => {
    const open = blocks.get(index)
    const path = `content[${index}]`
    if (!open) throw unsupported('unreadable reply', path)
    const { draft, block } = open
    switch (delta.type) {
      case 'text_delta':
        extend(draft, toText(delta.text))
        break
      case 'thinking_delta':
        extend(draft, toText(delta.thinking))
        break
      case 'input_json_delta':
        open.streamed = true
        extend(draft, toText(delta.partial_json))
        break
      case 'signature_delta':
        block.signature = toText(block.signature) + toText(delta.signature)
        break
      case 'citations_delta':
        refuseMembers({ citations: [delta.citation ?? null] }, blockMembers, path)
        break
      default:
        throw unsupported(
          delta.type === 'compaction_delta' ? 'compaction' : 'unreadable reply',
          `${path}.delta.type ${toText(delta.type)}`,
        )
    }
  }

  const onEnding = (delta: JsonObject): void => {
    ending = { ...ending, ...delta }
    refuseMembers(delta, messageMembers)
  }

  /** The blocks in order, with what became of them. In a stream that broke off one may be open. */
  const read = (brokeOff = false) => {
    const parts = collector.parts()
    return [...blocks.values()].flatMap(({ draft, block, streamed }) => {
      const part = parts[collector.drafts.indexOf(draft)]
      if (!part) return []
      // A call without deltas came whole with its start, if they are not still to come.
      const isWhole = part.type === 'tool_use' && !streamed && (draft.complete || !brokeOff)
      const whole: ReplyPart = isWhole
        ? { type: 'tool_use', toolCallId: draft.id, toolName: draft.name, toolInput: block.input ?? {} }
        : part
      return [{ part: whole, draft, block }]
    })
  }

  const toReply = (): Reply => {
    const found = read()
    const parts = found.map(({ part }) => part)
    const { tokens, opaque } = readUsage(usage)
    const blobs = found.flatMap(({ block }, index) => readBlockBlobs(block, index))
    return finishReply(parts, ending, {
      opaque: [...counted, ...blobs, ...opaque, ...othersBlob('message', others)],
      servedModel,
      tokens,
      chunks: collector.chunks(),
    })
  }

  return {
    onEvent,
    // Without its last event the helpers of Anthropic's own SDK fail, so this is a cut.
    isFinished: () => false,
    isStopped: () => toText(ending.stop_reason) !== '',
    toReply,
    arrived: () => {
      const found = read(true)
      const complete = found.filter(({ draft }) => draft.complete).length
      return { parts: found.map(({ part }) => part), complete, chunks: collector.chunks(), servedModel }
    },
  }
}

/** Later counts replace earlier ones. */
const withCounts = (usage: JsonObject, event: JsonObject): JsonObject => ({
  ...usage,
  ...otherMembers(toObject(event.usage), []),
})
