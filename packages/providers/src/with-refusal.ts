import type { Turn } from './wire.ts'

/**
 * A refusal from a file that holds no parts: its text is the refusal. The wires of OpenAI read every refusal as a part.
 */
export const withRefusal = (turn: Turn): Turn => {
  if (turn.stop !== 'refusal' || turn.parts.some(({ type }) => type === 'refusal')) return turn
  return { ...turn, parts: turn.parts.map((part) => (part.type === 'text' ? { ...part, type: 'refusal' } : part)) }
}
