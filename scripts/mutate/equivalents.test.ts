import { compareRequests } from '@retake/compare'
import { findWire } from '@retake/providers'
import { describe, expect, test } from 'vitest'
import { equivalentsOf } from './equivalents.ts'
import { fullRequests } from './full-requests.ts'

/** What SDKs add for the same call is taken away before requests are compared: a test a line of the table. */
describe.each(Object.entries(fullRequests))('%s', (name, full) => {
  const wire = findWire(new URL(full.url), full.body)
  const spare = {
    ...full,
    // What the rewritings add must not be there already.
    body: {
      ...Object.fromEntries(Object.entries(full.body).filter(([member]) => isNeeded(member))),
      ...(name === 'openai.responses' && { input: 'Hi' }),
      ...(name === 'openai.chat' && { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }),
      ...(name === 'anthropic.messages' && { system: 'Be brief.' }),
    },
  }

  test.each(equivalentsOf(name, full).map((line) => [line.name, line.request] as const))('%s', (line, request) => {
    const [inSpare] = equivalentsOf(name, spare).flatMap((one) => (one.name === line ? [one.request] : []))
    expect([JSON.stringify(request), JSON.stringify(inSpare)]).not.toEqual([
      JSON.stringify(full),
      JSON.stringify(spare),
    ])
    for (const [one, other] of [
      [full, request],
      [spare, inSpare ?? spare],
    ] as const) {
      expect(wire && compareRequests(wire.readRequest(one), wire.readRequest(other))).toEqual([])
    }
  })
})

function isNeeded(member: string): boolean {
  return ['model', 'messages', 'input', 'contents', 'max_tokens'].includes(member)
}
