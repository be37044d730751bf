import type { JsonObject, JsonValue, Stop } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toObject, toText } from '../json-members.ts'
import type { ReplyExtras, Turn } from '../wire.ts'

const words: Readonly<Record<string, Stop>> = {
  stop: 'end',
  'tool-calls': 'tools',
  length: 'length',
  'content-filter': 'filter',
}

/** For a reply that gave no reason. */
const absent = 'none'
const rawKind = 'finishReason.raw'

/** `{ unified, raw }`: one of the SDK's words, and the provider's own. */
export const readStop = (reason: JsonValue | undefined): Pick<Turn, 'stop' | 'stopDetail'> => {
  const word = toText(toObject(reason).unified)
  const stop = words[word]
  return stop ? { stop } : { stop: 'end', stopDetail: word === '' ? absent : word }
}

export const readRawStop = (reason: JsonValue | undefined): Opaque[] => {
  const { raw } = toObject(reason)
  return typeof raw === 'string' ? [{ part: 0, kind: rawKind, value: raw }] : []
}

const unified: Readonly<Record<Stop, string>> = {
  end: 'stop',
  tools: 'tool-calls',
  length: 'length',
  filter: 'content-filter',
  refusal: 'content-filter',
  sequence: 'stop',
  pause: 'other',
  context: 'length',
}

/** Undefined where the recorded reply gave no reason. */
export const writeStop = ({ stop, stopDetail }: Turn, extras: ReplyExtras | undefined): JsonObject | undefined => {
  if (stopDetail === absent) return undefined
  const raw = extras?.opaque?.find(({ kind }) => kind === rawKind)?.value
  return { unified: stopDetail ?? unified[stop], ...(raw !== undefined && { raw }) }
}
