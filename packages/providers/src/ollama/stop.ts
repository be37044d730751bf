import type { ReplyPart, Stop } from '@retake/trace'
import type { Turn } from '../wire.ts'

/** For a reply that gave no reason: older servers gave none. */
const absent = 'none'

const words: Readonly<Record<Stop, string>> = {
  end: 'stop',
  tools: 'stop',
  length: 'length',
  filter: 'stop',
  refusal: 'stop',
  sequence: 'stop',
  pause: 'stop',
  context: 'length',
}

/** `stop` says that the model is done, calls or not. `load` and `unload` answer requests without messages. */
export const readStop = (word: string, parts: readonly ReplyPart[]): Pick<Turn, 'stop' | 'stopDetail'> => {
  if (word === 'stop') return { stop: parts.some(({ type }) => type === 'tool_use') ? 'tools' : 'end' }
  if (word === 'length') return { stop: 'length' }
  return { stop: 'end', stopDetail: word === '' ? absent : word }
}

/** Undefined where the recorded reply gave no reason. */
export const writeStop = ({ stop, stopDetail }: Pick<Turn, 'stop' | 'stopDetail'>): string | undefined =>
  stopDetail === absent ? undefined : (stopDetail ?? words[stop])
