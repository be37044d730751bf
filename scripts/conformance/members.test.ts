import { expect, test } from 'vitest'
import { compareContentTypes, compareMembers, readMembers } from './members.ts'

const json = (body: unknown, type = '') => ({
  status: 200,
  headers: type === '' ? {} : { 'content-type': type },
  body: JSON.stringify(body),
})
const stream = (...events: unknown[]) => ({
  status: 200,
  headers: {},
  body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
})
const compare = (...[original, replayed]: Parameters<typeof compareContentTypes>) =>
  compareMembers(readMembers(original), readMembers(replayed))

const completion = {
  id: 'a',
  created: 1,
  model: 'm',
  choices: [{ message: { content: 'Hi', reasoning_details: [{ signature: 's' }] } }],
  usage: { prompt_tokens: 3, details: { cached: 2 }, total_time: 0.1 },
}

test('ids, times and empty members may differ', () => {
  expect(compare(json({ ...completion, refusal: null }), json({ ...completion, id: 'b', created: 2, n: 0 }))).toEqual(
    [],
  )
})

test('counts, the model and what must be sent back may not', () => {
  const { usage, model, ...rest } = completion
  expect(compare(json(completion), json({ ...rest, model, usage: { ...usage, details: { cached: 1 } } }))).toEqual([
    'usage.details.cached: 2 became 1',
  ])
  expect(compare(json(completion), json({ ...rest, usage }))).toEqual(['model: "m" is gone'])
  const bare = { ...completion, choices: [{ message: { content: 'Hi' } }] }
  expect(compare(json(completion), json(bare))).toEqual([
    'choices[].message.reasoning_details[].signature: "s" is gone',
  ])
})

test('of a stream the last value counts, and the cut of texts does not', () => {
  const delta = (content: string) => ({ choices: [{ delta: { content } }] })
  const counts = (output: number) => ({ usage: { output } })
  expect(compare(stream(delta('Hi'), counts(1), counts(2)), stream(delta('H'), delta('i'), counts(2)))).toEqual([])
  expect(compare(stream(delta('Hi'), counts(2)), stream(delta('Hi'), counts(1)))).toEqual(['usage.output: 2 became 1'])
})

test('of a stream that failed the error counts', () => {
  const head = { provider: 'p', choices: [{ delta: {}, native_finish_reason: 'x' }] }
  expect(compare(stream(head, { error: { message: 'm' } }), stream({ error: { message: 'm' } }))).toEqual([])
  expect(compare(stream(head, { error: { message: 'm', code: 4 } }), stream({ error: { message: 'm' } }))).toEqual([
    'error.code: 4 is gone',
  ])
})

test('content types are compared where both are told', () => {
  expect(compareContentTypes(json({}, 'application/json; charset=utf-8'), json({}, 'application/json'))).toEqual([])
  expect(compareContentTypes(json({}), json({}, 'application/json'))).toEqual([])
  expect(compareContentTypes(json({}, 'text/event-stream'), json({}, 'application/json'))).toHaveLength(1)
})
