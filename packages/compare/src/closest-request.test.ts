import type { Message, ModelInput } from '@retake/trace'
import { expect, test } from 'vitest'
import { closestRequest } from './closest-request.ts'
import { compareRequests } from './compare-requests.ts'

const request = (...texts: string[]): ModelInput => ({
  messages: texts.map((content, at): Message => ({ role: at % 2 ? 'assistant' : 'user', content })),
  tools: [],
})
const run = [
  request('hello'),
  request('hello', 'hi', 'where is it?'),
  request('hello', 'hi', 'where is it?', 'late', 'thanks'),
]

test('the recorded request with the fewest differences comes closest', () => {
  expect(closestRequest(run, request('hello', 'hi', 'where was it?'))).toEqual({
    index: 1,
    differences: [{ path: 'messages[2].content', kind: 'changed', before: 'where is it?', after: 'where was it?' }],
  })
})

test('an equal request is closest with no difference', () => {
  expect(closestRequest(run, request('hello'))).toEqual({ index: 0, differences: [] })
})

test('of two with as many differences the smaller change comes closest', () => {
  const recorded = [request('What is the weather in Paris?'), request('Bye.')]
  expect(closestRequest(recorded, request('Bye!'))?.index).toBe(1)
})

test('ignored paths do not count', () => {
  expect(compareRequests(request('a'), request('b'))).toHaveLength(1)
  expect(compareRequests(request('a'), request('b'), { ignore: ['messages[0].content'] })).toEqual([])
})

test('nothing recorded means nothing is close', () => {
  expect(closestRequest([], request('a'))).toBeUndefined()
})
