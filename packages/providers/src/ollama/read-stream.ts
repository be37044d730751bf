import { isJsonObject, type JsonObject } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, toObjects, toText } from '../json-members.ts'
import { createPartCollector } from '../part-collector.ts'
import { createReader, type StreamWire } from '../stream-reader.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply, StreamReader, WireError } from '../wire.ts'
import { readStreamError } from './error.ts'
import { createLineReader } from './json-lines.ts'
import { finishReply, readCall } from './read-reply.ts'
import { readCallOthers, refuseInReply } from './reply-members.ts'

/** Reads the lines of one reply; the one that is `done` ends it, and holds the counts. */
export const openStream = (): StreamReader => createReader(createChatStream())

const createChatStream = (): StreamWire => {
  const collector = createPartCollector()
  const callBlobs: Opaque[] = []
  let message: JsonObject = {}
  let ending: JsonObject = {}

  const onLine = (line: JsonObject): 'terminated' | WireError | undefined => {
    if (!isNothing(line.error)) return readStreamError(line)
    if (!isJsonObject(line.message)) throw unsupported('unreadable reply', 'message')
    refuseInReply(line, line.message)
    message = { ...message, ...line.message }
    ending = { ...ending, ...line }
    collector.append('reasoning', toText(line.message.thinking))
    collector.append('text', toText(line.message.content))
    for (const call of toObjects(line.message.tool_calls)) onCall(call)
    return line.done === true ? 'terminated' : undefined
  }

  const onCall = (given: JsonObject): void => {
    const { toolCallId, toolName, toolInput } = readCall(given)
    callBlobs.push(...readCallOthers(given, collector.drafts.length))
    // Not a delta: calls come whole, and in no recorded length.
    collector.open('tool_use', toolCallId, toolName).text = JSON.stringify(toolInput)
  }

  const toReply = (): Reply =>
    finishReply(collector.parts(), ending, { message, callBlobs, chunks: collector.chunks() })

  return {
    createEventReader: createLineReader,
    onEvent: onLine,
    // Without its last line Ollama's own client fails, so this is a cut.
    isFinished: () => false,
    toReply,
    arrived: () => {
      const parts = collector.parts()
      const isLastOpen = parts.at(-1)?.type !== 'tool_use'
      return { parts, complete: Math.max(0, isLastOpen ? parts.length - 1 : parts.length), chunks: collector.chunks() }
    },
  }
}
