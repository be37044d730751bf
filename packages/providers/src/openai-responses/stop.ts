import type { JsonObject, ReplyPart, Stop } from '@retake/trace'
import { toObject, toText } from '../json-members.ts'
import { unsupported } from '../unsupported.ts'
import type { Turn } from '../wire.ts'

const reasons: Readonly<Record<string, Stop>> = { max_output_tokens: 'length', content_filter: 'filter' }

/** For a reply that gave no status at all. */
const absent = 'none'

const incomplete = 'incomplete'

/**
 * Reads `status` and `incomplete_details`. A completed reply tells by what it holds whether it is an answer, a call turn
 * or a refusal. `stopDetail` keeps the words of vendors: a status, or `incomplete: REASON`.
 * @throws UnsupportedError for a reply that is not there yet
 */
export const readStop = (response: JsonObject, parts: readonly ReplyPart[]): Pick<Turn, 'stop' | 'stopDetail'> => {
  const status = toText(response.status)
  if (['queued', 'in_progress', 'cancelled'].includes(status)) throw unsupported('background', `status ${status}`)
  if (status === incomplete) {
    const reason = toText(toObject(response.incomplete_details).reason)
    const stop = reasons[reason]
    return stop ? { stop } : { stop: 'length', stopDetail: reason === '' ? incomplete : `${incomplete}: ${reason}` }
  }
  const has = (type: ReplyPart['type']) => parts.some((part) => part.type === type)
  const stop = has('tool_use') ? 'tools' : has('refusal') && status === 'completed' ? 'refusal' : 'end'
  return status === 'completed' ? { stop } : { stop, stopDetail: status || absent }
}

const reasonOf = ({ stop, stopDetail }: Pick<Turn, 'stop' | 'stopDetail'>): string | null | undefined => {
  if (stopDetail?.startsWith(incomplete)) return stopDetail.slice(`${incomplete}: `.length) || null
  if (stopDetail !== undefined) return undefined
  if (stop === 'filter') return 'content_filter'
  return stop === 'length' || stop === 'context' ? 'max_output_tokens' : undefined
}

/** The members that tell how a reply ended. A status that the recorded reply did not have stays away. */
export const writeStop = (turn: Pick<Turn, 'stop' | 'stopDetail'>): JsonObject => {
  const reason = reasonOf(turn)
  if (reason !== undefined) return { status: incomplete, incomplete_details: reason === null ? null : { reason } }
  const { stopDetail = 'completed' } = turn
  return { ...(stopDetail !== absent && { status: stopDetail }), incomplete_details: null }
}
