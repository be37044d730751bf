import { expect, test } from 'vitest'
import { compareSaid } from './compare-said.ts'
import type { Said } from './said.ts'

const call = { type: 'call' as const, name: 'add', text: '{"a": 1}', value: { a: 1 }, custom: false, id: 'x1' }
const said = (over: Partial<Said> = {}): Said => ({
  status: 200,
  parts: [{ type: 'text', text: 'Adding.' }, call],
  body: 'json',
  stop: 'tool_calls',
  stopText: null,
  complete: true,
  carries: [],
  error: null,
  ...over,
})
const failure = (message: string, over = {}) =>
  said({ status: 401, parts: [], stop: null, error: { message, type: 'auth', code: null, ...over } })

test('finds nothing where only ids differ', () => {
  expect(compareSaid(said(), said({ parts: [said().parts[0] ?? call, { ...call, id: 'other' }] }))).toEqual([])
})

test.each<[string, Partial<Said>]>([
  ['status: 200 became 201', { status: 201 }],
  ['text: ["Adding."] became ["Adding"]', { parts: [{ type: 'text', text: 'Adding' }, call] }],
  [
    'text: ["Adding."] became ["Add","ing."]',
    { parts: [{ type: 'text', text: 'Add' }, { type: 'text', text: 'ing.' }, call] },
  ],
  [
    'calls: ["add"] became ["sub"]',
    {
      parts: [
        { type: 'text', text: 'Adding.' },
        { ...call, name: 'sub' },
      ],
    },
  ],
  ['calls: ["add"] became ["add","add"]', { parts: [{ type: 'text', text: 'Adding.' }, call, { ...call, id: 'x2' }] }],
  [
    'arguments of add: "{\\"a\\": 1}" became "{\\"a\\":1}"',
    {
      parts: [
        { type: 'text', text: 'Adding.' },
        { ...call, text: '{"a":1}' },
      ],
    },
  ],
  [
    'call ids: [""]',
    {
      parts: [
        { type: 'text', text: 'Adding.' },
        { ...call, id: '' },
      ],
    },
  ],
  ['order: ["text","call"] became ["call","text"]', { parts: [call, { type: 'text', text: 'Adding.' }] }],
  ['stop: "tool_calls" became "stop"', { stop: 'stop' }],
  ['stop sequence: null became "END"', { stopText: 'END' }],
  ['complete: true became false', { complete: false }],
  ['reasoning: [] became ["Hm."]', { parts: [{ type: 'reasoning', text: 'Hm.' }, ...said().parts] }],
  ['body: "json" became "events"', { body: 'events' }],
])('finds %s', (line, over) => {
  expect(compareSaid(said(), said(over))).toEqual([line])
})

test('finds a refusal that became text', () => {
  expect(
    compareSaid(said({ parts: [{ type: 'refusal', text: 'No.' }] }), said({ parts: [{ type: 'text', text: 'No.' }] })),
  ).toEqual(['text: [] became ["No."]', 'refusal: ["No."] became []'])
})

test('finds a member that is gone, but not one that was never there', () => {
  expect(compareSaid(said({ carries: ['citations'] }), said())).toEqual(['citations: gone'])
  expect(compareSaid(said(), said({ carries: ['logprobs'] }))).toEqual([])
})

test('compares message, type and code of an error', () => {
  expect(compareSaid(failure('bad key'), failure('bad key'))).toEqual([])
  expect(compareSaid(failure('bad key'), failure('bad'))).toEqual(['error message: "bad key" became "bad"'])
  expect(compareSaid(failure('m'), failure('m', { type: 'x' }))).toEqual(['error type: "auth" became "x"'])
  expect(compareSaid(failure('m', { code: 'c' }), failure('m'))).toEqual(['error code: "c" became null'])
  expect(compareSaid(failure('m'), said())).toContain('error: "m" is gone')
})

test('lets a mask in a recorded message stand for the id it hides', () => {
  expect(compareSaid(failure('key sk-1 (req_7) is bad'), failure('key [redacted] (<id>) is bad'))).toEqual([])
  expect(compareSaid(failure('key sk-1 is bad'), failure('key [redacted] is good'))).toHaveLength(1)
})
