import { expect, test } from 'vitest'
import {
  responsesCall,
  responsesJson,
  responsesStream,
  responsesText,
} from '../../test/support/fake-provider/responses.ts'
import { compareSaid } from './compare-said.ts'
import type { SentExchange } from './exchange.ts'
import { createGivenIds } from './given-ids.ts'
import { readSaid } from './read-said.ts'

const url = 'https://api.openai.com/v1/responses'
const turn = {
  id: 'resp_a',
  output: [
    { type: 'reasoning' as const, id: 'rs_a', summary: ['Hm.'] },
    responsesText('Let me look.', 'msg_a'),
    responsesCall('call_1', 'lookup', '{"id": "A-77"}'),
  ],
}
const answerOf = ({ body, chunks }: ReturnType<typeof responsesJson>) => ({
  status: 200,
  headers: { 'content-type': chunks ? 'text/event-stream' : 'application/json' },
  body: chunks ? chunks.join('') : String(body),
})

test('a response says the same as JSON and as a stream', () => {
  const said = readSaid(url, answerOf(responsesJson(turn)))
  expect(said).toMatchObject({
    parts: [
      { type: 'reasoning', text: '[["Hm."],[]]' },
      { type: 'text', text: 'Let me look.' },
      { type: 'call', name: 'lookup', text: '{"id": "A-77"}', value: { id: 'A-77' }, custom: false },
    ],
    stop: 'completed',
    complete: true,
    carries: [],
  })
  expect(readSaid(url, answerOf(responsesStream(turn, { pieces: 3 })))).toEqual({
    ...said,
    body: 'events',
    contradictions: [],
  })
})

test('deltas that say something else than the last event are noticed', () => {
  const { body, ...rest } = answerOf(responsesStream(turn))
  const spoiled = { ...rest, body: body.replace('"delta":"Let me look."', '"delta":"Let me"') }
  expect(readSaid(url, spoiled).contradictions).toEqual(['other text in the deltas'])
  expect(compareSaid(readSaid(url, spoiled), readSaid(url, answerOf(responsesStream(turn))))).toEqual([])
  expect(compareSaid(readSaid(url, answerOf(responsesStream(turn))), readSaid(url, spoiled))).toEqual([
    'other text in the deltas',
  ])
})

test('a stream without its last event is not complete', () => {
  const { chunks = [] } = responsesStream(turn)
  expect(readSaid(url, answerOf({ chunks: chunks.slice(0, -1) })).complete).toBe(false)
})

test('ids that a replay gave take the place of the recorded ones in later requests', () => {
  const given = createGivenIds()
  const other = responsesStream({
    ...turn,
    id: 'resp_b',
    output: [turn.output[0] as never, responsesText('Hi', 'msg_b')],
  })
  given.note(answerOf(responsesJson(turn)), answerOf(other))
  const body = { previous_response_id: 'resp_a', input: [{ type: 'item_reference', id: 'msg_a' }, { id: 'msg_c' }] }
  const { request } = given.inRequest({ request: { body } } as unknown as SentExchange)
  expect(request.body).toEqual({
    previous_response_id: 'resp_b',
    input: [{ type: 'item_reference', id: 'msg_b' }, { id: 'msg_c' }],
  })
})
