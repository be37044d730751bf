import type { JsonObject, JsonValue, ReplyPart, Stop } from '@retake/trace'
import { toText } from '../json-members.ts'
import type { Turn } from '../wire.ts'

/** What each `finishReason` comes to (https://ai.google.dev/api/generate-content#FinishReason), Vertex AI's included. */
const stops: Readonly<Record<string, Stop>> = {
  STOP: 'end',
  MAX_TOKENS: 'length',
  SAFETY: 'filter',
  PROHIBITED_CONTENT: 'refusal',
  RECITATION: 'filter',
  LANGUAGE: 'filter',
  BLOCKLIST: 'filter',
  SPII: 'filter',
  MODEL_ARMOR: 'filter',
  IMAGE_SAFETY: 'filter',
  IMAGE_PROHIBITED_CONTENT: 'filter',
  IMAGE_RECITATION: 'filter',
}

const words: Readonly<Record<Stop, string>> = {
  end: 'STOP',
  tools: 'STOP',
  length: 'MAX_TOKENS',
  filter: 'SAFETY',
  refusal: 'PROHIBITED_CONTENT',
  sequence: 'STOP',
  pause: 'STOP',
  context: 'MAX_TOKENS',
}

/** The numbers that the enums of both APIs share; of the others only the number is kept. */
const numbers: readonly string[] = ['FINISH_REASON_UNSPECIFIED', 'STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER']

/** For a reply that gave no reason; to the API that is its first enum value. */
const absent = 'none'
const unspecified = 'FINISH_REASON_UNSPECIFIED'
const promptPrefix = 'prompt '

type ReadStop = Pick<Turn, 'stop' | 'stopDetail'>

const isCall = ({ type }: ReplyPart): boolean => type === 'tool_use'

/** The reason's name; a number that only one of the APIs knows stays one. */
export const reasonOf = (value: JsonValue | undefined): string =>
  typeof value === 'number' ? (numbers[value] ?? String(value)) : toText(value)

export const readStop = (word: string, parts: readonly ReplyPart[]): ReadStop => {
  if (word === '' || word === unspecified) return { stop: 'end', stopDetail: absent }
  if (word === 'STOP') return { stop: parts.some(isCall) ? 'tools' : 'end' }
  // The numbers 6 to 8 tell of forbidden content in either API.
  const stop = stops[word] ?? (/^[678]$/.test(word) ? 'filter' : 'end')
  return words[stop] === word ? { stop } : { stop, stopDetail: word.toLowerCase() }
}

/** No candidate came: the prompt was blocked, or nobody says why. */
export const readBlocked = (feedback: JsonObject): ReadStop => {
  const word = toText(feedback.blockReason)
  return {
    stop: word === 'PROHIBITED_CONTENT' ? 'refusal' : word === '' ? 'end' : 'filter',
    stopDetail: promptPrefix + (word.toLowerCase() || absent),
  }
}

/** The reason that goes into `promptFeedback`; empty where no candidate and no reason came; undefined for any other stop. */
export const blockReasonOf = ({ stopDetail = '' }: Turn): string | undefined => {
  if (!stopDetail.startsWith(promptPrefix)) return undefined
  const word = stopDetail.slice(promptPrefix.length)
  return word === absent ? '' : word.toUpperCase()
}

/**
 * `finishReason`, as a name or as a number. Server-sent events that give none are not over, so their end always has one.
 */
export const writeReason = (
  { stop, stopDetail }: Turn,
  asNumber: boolean,
  isOpenStream: boolean,
): JsonValue | undefined => {
  if (stopDetail === absent && !isOpenStream) return undefined
  const word = stopDetail === absent ? unspecified : (stopDetail?.toUpperCase() ?? words[stop])
  if (/^\d+$/.test(word)) return Number(word)
  const number = numbers.indexOf(word)
  return asNumber && number !== -1 ? number : word
}
