import type { Stop } from '@retake/trace'
import type { Turn } from '../wire.ts'

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#bedrock-runtime_Converse-response-stopReason */
const words: Readonly<Record<string, Stop>> = {
  end_turn: 'end',
  tool_use: 'tools',
  max_tokens: 'length',
  stop_sequence: 'sequence',
  content_filtered: 'filter',
  model_context_window_exceeded: 'context',
}

/** Words that say more than their stop; the word itself goes back. */
const others: Readonly<Record<string, Stop>> = {
  guardrail_intervened: 'filter',
  refusal: 'refusal',
  pause_turn: 'pause',
}

/** For a reply that gave no reason. */
const absent = 'none'

export const readStop = (word: string): Pick<Turn, 'stop' | 'stopDetail'> => {
  const stop = words[word]
  return stop ? { stop } : { stop: others[word] ?? 'end', stopDetail: word === '' ? absent : word }
}

/** Undefined where the recorded reply gave no reason. */
export const writeStop = ({ stop, stopDetail }: Pick<Turn, 'stop' | 'stopDetail'>): string | undefined => {
  if (stopDetail !== undefined) return stopDetail === absent ? undefined : stopDetail
  return [...Object.entries(words), ...Object.entries(others)].find(([, one]) => one === stop)?.[0] ?? 'end_turn'
}
