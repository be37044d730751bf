import type { JsonObject } from '@retake/trace'
import { expect, test } from 'vitest'
import { wires } from './routes.ts'
import { wireSamples } from './wire-samples.ts'

/** Gateways answer with status 200 and an error in the place of the reply. */
const failures: Record<string, JsonObject> = {
  'openai.chat': { error: { message: 'Provider returned error', code: 502, metadata: { raw: 'busy' } }, user_id: 'u' },
  'openai.responses': { status: 'failed', output: [], error: { code: 'server_error', message: 'Busy' } },
  'anthropic.messages': { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  'gemini.generate-content': { error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } },
}

test.each(Object.entries(failures))('%s: such a failure comes back as it was', (name, body) => {
  const wire = wires.find((one) => one.name === name)
  const request = wireSamples[name]?.request(false)
  const error = wire?.readFailure?.(body)
  if (!wire || !request || !error) throw new Error('no failure')
  expect(error.status).toBe(200)
  const { status, body: written } = wire.writeError(error, { request, replyId: 'run1-2', timestamp: 0 })
  expect([status, JSON.parse(String(written))]).toMatchObject([200, body])
})

test('an error beside what a choice of a gateway said comes back with it', () => {
  const wire = wires.find(({ name }) => name === 'openai.chat')
  const error = { code: 502, message: 'Cut off upstream' }
  const reply = wire?.readReply({
    choices: [{ index: 0, message: { role: 'assistant', content: 'The ord' }, finish_reason: 'error', error }],
  })
  const request = wireSamples['openai.chat']?.request(false)
  if (!wire || !reply || !request) throw new Error('no reply')
  const { body } = wire.writeReply(reply.turn, { request, replyId: 'run1-2', timestamp: 0, extras: reply.extras })
  expect(JSON.parse(String(body)).choices).toMatchObject([
    { message: { content: 'The ord' }, finish_reason: 'error', error },
  ])
})
