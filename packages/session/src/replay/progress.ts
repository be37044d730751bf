import { escapeInvisible } from '@retake/compare'
import { type ModelInput, toolCallsOf } from '@retake/trace'
import type { RecordedCall } from './recorded-run.ts'

const longestAnswer = 24
const mostShown = 4

/** What a run of the cassette's calls came to: `1 ✓ user → lookup   2 ✗ tool result → …   3 · not reached`. */
export function formatProgress(calls: readonly RecordedCall[], missed?: RecordedCall): string {
  // Nothing that the headline does not say.
  if (calls.every(({ served }) => served === 0) && (calls.length === 1 || !missed)) return ''
  const focus = missed ? calls.indexOf(missed) : calls.findLastIndex(({ served }) => served > 0)
  const first = Math.max(0, Math.min(focus - mostShown + 2, calls.length - mostShown))
  const shown = calls.slice(first, first + mostShown)
  const behind = calls.length - first - shown.length
  return [
    ...(first > 0 ? [`… ${first} before`] : []),
    ...shown.map((call) => `${call.number} ${formatState(call, call === missed)}`),
    ...(behind > 0 ? [`… ${behind} more`] : []),
  ].join('   ')
}

function formatState(call: RecordedCall, missed: boolean): string {
  if (missed) return `✗ ${formatAsked(call.input)} → …`
  return call.served > 0 ? `✓ ${formatCall(call)}` : '· not reached'
}

/** `user → lookup`, `tool result → "Done."` */
export const formatCall = (call: RecordedCall): string => `${formatAsked(call.input)} → ${formatReply(call)}`

/** What the request came from. */
function formatAsked({ messages }: ModelInput): string {
  const { role, content } = messages.at(-1) ?? { role: 'user', content: '' }
  const isResult = Array.isArray(content) && content.some(({ type }) => type === 'tool_result')
  return isResult ? 'tool result' : role
}

function formatReply({ attempts }: RecordedCall): string {
  const last = attempts.at(-1)
  if (!last || 'next' in last) return 'no reply'
  if ('error' in last) return `error ${last.error.status || last.error.kind}`
  const names = toolCallsOf(last.output).map(({ toolName }) => toolName)
  if (names.length > 0)
    return escapeInvisible(names.length > 2 ? `${names.slice(0, 2).join(', ')} …` : names.join(', '))
  const text = last.output.type === 'final_answer' ? last.output.text : ''
  return escapeInvisible(JSON.stringify(text.length > longestAnswer ? `${text.slice(0, longestAnswer - 1)}…` : text))
}
