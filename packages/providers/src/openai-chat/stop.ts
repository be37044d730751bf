import type { ReplyPart, Stop } from '@retake/trace'
import type { Turn } from '../wire.ts'

const own: Readonly<Record<string, Stop>> = {
  stop: 'end',
  tool_calls: 'tools',
  length: 'length',
  content_filter: 'filter',
}

/** Words of compatible vendors. `stopDetail` keeps the word, so a wrong guess here still goes back as it came. */
const others: Readonly<Record<string, Stop>> = {
  end_turn: 'end',
  eos: 'end',
  tool_use: 'tools',
  max_tokens: 'length',
  model_length: 'length',
  stop_sequence: 'sequence',
  sensitive: 'filter',
  safety: 'filter',
}

/** For a reply that gave no reason at all. */
const absent = 'none'

/** A refusal is told by its text; its reason is an ordinary `stop`. */
export const readStop = (word: string, parts: readonly ReplyPart[]): Pick<Turn, 'stop' | 'stopDetail'> => {
  if (word === 'stop' && isRefusal(parts)) return { stop: 'refusal' }
  const stop = own[word]
  if (stop) return { stop }
  return { stop: others[word.toLowerCase()] ?? 'end', stopDetail: word === '' ? absent : word }
}

const isRefusal = (parts: readonly ReplyPart[]): boolean =>
  parts.some(({ type }) => type === 'refusal') && !parts.some(({ type }) => type === 'tool_use')

const words: Readonly<Record<Stop, string>> = {
  end: 'stop',
  tools: 'tool_calls',
  length: 'length',
  filter: 'content_filter',
  refusal: 'stop',
  sequence: 'stop',
  pause: 'stop',
  context: 'length',
}

export const writeStop = ({ stop, stopDetail }: Pick<Turn, 'stop' | 'stopDetail'>): string | null =>
  stopDetail === absent ? null : (stopDetail ?? words[stop])
