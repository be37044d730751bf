import { isJsonObject, type JsonObject } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, toObject, toText } from '../json-members.ts'
import { createPartCollector, extend, type PartDraft } from '../part-collector.ts'
import { othersOf } from '../reply-members.ts'
import { createReader, type StreamWire } from '../stream-reader.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply, StreamReader, WireError } from '../wire.ts'
import { emptyTextBlob, readPartBlobs } from './blobs.ts'
import { readStreamError } from './error.ts'
import { createEventReader } from './json-array.ts'
import { addPartialArgs, isPartialCall } from './partial-args.ts'
import { partsOf, readReplyPart } from './read-reply.ts'
import { addResponse, type Ending, finishReply, isFinished } from './reply-ending.ts'
import { replyMembers } from './reply-members.ts'

/**
 * Reads the responses of one stream: server-sent events, or the items of a JSON array. Nothing but a reason to finish
 * tells that a stream is complete, and older models gave one with each response.
 */
export const openStream = (): StreamReader => createReader(createResponseStream())

const createResponseStream = (): StreamWire => {
  const collector = createPartCollector()
  const opaque: Opaque[] = []
  let ending: Ending = { response: {} }
  let hasEmptyText = false
  let isSealed = false
  /** An array tells its end by itself, also where no reason to finish came. */
  let isWhole = false
  /** The call whose arguments are still to come. */
  let open: { draft: PartDraft; args: JsonObject } | undefined

  const onResponse = (response: JsonObject): WireError | undefined => {
    if (!isNothing(response.error)) return readStreamError(response)
    ending = addResponse(ending, response)
    for (const [nth, part] of partsOf(response).entries()) onPart(part, `candidates[0].content.parts[${nth}]`)
    return undefined
  }

  /** A call in pieces: the first has its name, later ones have none. */
  const onPartialCall = (part: JsonObject, call: JsonObject): void => {
    const goesOn = toText(call.name) === '' && open !== undefined
    // The end of a call that was over.
    if (!goesOn && isNothing(call)) return
    const { draft, args } =
      goesOn && open ? open : { draft: collector.open('tool_use', toText(call.id), toText(call.name)), args: {} }
    const added = addPartialArgs({ ...args, ...toObject(call.args) }, call)
    draft.text = JSON.stringify(added)
    if (!goesOn) opaque.push(...readPartBlobs(part, collector.drafts.length - 1))
    open = call.willContinue === true ? { draft, args: added } : undefined
    isSealed = true
  }

  const onPart = (part: JsonObject, path: string): void => {
    const call = part.functionCall
    if (isJsonObject(call) && isPartialCall(call)) {
      onPartialCall(part, call)
      return
    }
    const read = readReplyPart(part, path)
    if (read.type === 'tool_use') {
      const draft = collector.open('tool_use', read.toolCallId, read.toolName)
      // Not a delta: calls come whole, and in no recorded length.
      draft.text = JSON.stringify(read.toolInput)
      isSealed = true
    } else if (read.type === 'text' || read.type === 'reasoning') {
      if (read.text === '') {
        onEmptyText(part)
        return
      }
      extend(draftFor(read.type), read.text)
    }
    opaque.push(...readPartBlobs(part, collector.drafts.length - 1))
    if (toText(part.thoughtSignature) !== '') isSealed = true
  }

  /** A part that was signed is over: what follows is another. */
  const draftFor = (type: 'text' | 'reasoning'): PartDraft => {
    const last = collector.drafts.at(-1)
    if (last?.type === type && !isSealed) return last
    isSealed = false
    return collector.open(type)
  }

  const onEmptyText = (part: JsonObject): void => {
    const signature = toText(part.thoughtSignature)
    if (signature === '') hasEmptyText = true
    else opaque.push(emptyTextBlob(collector.drafts.length, signature))
    if (signature !== '') isSealed = true
  }

  const toReply = (): Reply => {
    const parts = collector.parts()
    const isEmpty = parts.length === 0 && hasEmptyText && opaque.length === 0
    return finishReply(isEmpty ? [{ type: 'text', text: '' }] : parts, ending, opaque, collector.chunks())
  }

  return {
    createEventReader: (onEvent) =>
      createEventReader(onEvent, () => {
        isWhole = true
      }),
    onEvent: onResponse,
    isFinished: () => isFinished(ending) || (isWhole && ending.candidate !== undefined),
    toReply,
    arrived: () => {
      // Events of another API of Google's, which name no candidate at all.
      const { candidate, response } = ending
      if (!candidate && isNothing(response.promptFeedback) && !isNothing(othersOf(response, replyMembers))) {
        throw unsupported('unreadable reply', 'candidates')
      }
      const parts = collector.parts()
      const isLastOpen = parts.at(-1)?.type !== 'tool_use'
      return {
        parts,
        complete: Math.max(0, isLastOpen ? parts.length - 1 : parts.length),
        chunks: collector.chunks(),
        servedModel: toText(response.modelVersion),
      }
    },
  }
}
