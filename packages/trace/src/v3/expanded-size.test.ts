import { expect, test } from 'vitest'
import { formatTrace } from '../format-cassette.ts'
import { parseTrace } from '../parse-cassette.ts'
import type { Trace } from '../trace.ts'
import { TraceRecorder } from '../trace-recorder.ts'

/** Requests that repeat all messages before, then only the last two. */
function longRun(): Trace {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  const messages = Array.from({ length: 40 }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: `message ${n} `.repeat(20),
  }))
  for (let n = 1; n <= messages.length; n++) {
    recorder.append('model_input', { messages: messages.slice(0, n), tools: [], systemPrompt: 'Be brief.' }, n)
    recorder.append('model_input', { messages: messages.slice(Math.max(0, n - 2), n), tools: [] }, n)
  }
  return recorder.toTrace()
}

test('what the writer takes as not too large, the reader takes too, and no more', () => {
  const trace = longRun()
  const accepts = (maxExpanded: number): boolean => {
    try {
      formatTrace(trace, { format: 'v3', maxExpanded })
      return true
    } catch {
      return false
    }
  }
  let [refused, accepted] = [1000, 10_000_000]
  expect([accepts(refused), accepts(accepted)]).toEqual([false, true])
  while (accepted - refused > 1) {
    const middle = Math.floor((refused + accepted) / 2)
    if (accepts(middle)) accepted = middle
    else refused = middle
  }
  const text = formatTrace(trace, { format: 'v3' })
  expect(parseTrace(text, { maxExpanded: accepted })).toEqual(trace)
  expect(() => parseTrace(text, { maxExpanded: refused })).toThrow('expands beyond')
})
