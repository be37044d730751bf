import type { JsonObject, JsonValue, ReplyPart, Stop } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, toObject, toText } from '../json-members.ts'
import { unsupported } from '../unsupported.ts'
import type { ReplyExtras, Turn } from '../wire.ts'

const stops: Readonly<Record<string, Stop>> = {
  end_turn: 'end',
  tool_use: 'tools',
  max_tokens: 'length',
  stop_sequence: 'sequence',
  refusal: 'refusal',
  pause_turn: 'pause',
  model_context_window_exceeded: 'context',
}

const words: Readonly<Record<Stop, string>> = {
  end: 'end_turn',
  tools: 'tool_use',
  length: 'max_tokens',
  filter: 'refusal',
  refusal: 'refusal',
  sequence: 'stop_sequence',
  pause: 'pause_turn',
  context: 'model_context_window_exceeded',
}

/** For a reply that gave no reason. */
const absent = 'none'

const blobKind = 'message.stop_details'

export interface ReadStop extends Pick<Turn, 'stop' | 'stopText' | 'stopDetail'> {
  /** The explanation of a refusal. */
  part?: ReplyPart
  opaque?: Opaque
}

/**
 * Reads `stop_reason`, `stop_sequence` and `stop_details`. Of a refusal the category is the detail, and the explanation
 * is a part of its own.
 * @throws UnsupportedError where the server stopped to hand back a compacted history
 */
export const readStop = (message: JsonObject): ReadStop => {
  const word = toText(message.stop_reason)
  if (word === 'compaction') throw unsupported('compaction', 'stop_reason')
  const stopText = toText(message.stop_sequence)
  const stop = stops[word]
  const read = {
    stop: stop ?? 'end',
    ...(stopText !== '' && { stopText }),
    ...(!stop && { stopDetail: word || absent }),
  }
  const details = toObject(message.stop_details)
  if (isNothing(details)) return read
  const explanation = toText(details.explanation)
  const category = toText(details.category)
  return {
    ...read,
    ...(stop === 'refusal' && category !== '' && { stopDetail: category }),
    ...(explanation !== '' && { part: { type: 'refusal', text: explanation } }),
    opaque: { part: 0, kind: blobKind, value: details },
  }
}

export const writeStop = (turn: Turn, extras: ReplyExtras | undefined): JsonObject => {
  const { stop, stopText, stopDetail } = turn
  const isRefusal = stop === 'refusal'
  const word = isRefusal ? 'refusal' : (stopDetail ?? words[stop])
  const explanation = turn.parts.find(({ type }) => type === 'refusal')
  const details: JsonValue | undefined =
    extras?.opaque?.find(({ kind }) => kind === blobKind)?.value ??
    (isRefusal && (stopDetail !== undefined || explanation)
      ? {
          type: 'refusal',
          category: stopDetail ?? null,
          explanation: explanation?.type === 'refusal' ? explanation.text : null,
        }
      : undefined)
  return {
    stop_reason: word === absent ? null : word,
    stop_sequence: stopText ?? null,
    ...(details !== undefined && { stop_details: details }),
  }
}
