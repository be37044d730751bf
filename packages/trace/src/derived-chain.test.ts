import { expect, test } from 'vitest'
import { corpus } from '../test/corpus.ts'
import { v3Sample } from '../test/v3-sample.ts'
import { formatTrace } from './format-cassette.ts'
import type { JsonObject, JsonValue } from './json/json.ts'
import { parseCassette, parseTrace } from './parse-cassette.ts'
import type { Trace, TraceStep } from './trace.ts'
import { verifyTrace } from './verify/verify-trace.ts'

const load = (): Trace => parseCassette(v3Sample).trace
const failing = (trace: Trace) => {
  const check = verifyTrace(trace).checks.find(({ status }) => status === 'fail')
  return check && `${check.name} ${check.where}`
}

test('derived hashes are those of the v2 file, in whatever order they are read', () => {
  for (const { text } of corpus) {
    const original = parseTrace(text).steps
    const derived = parseTrace(formatTrace(parseTrace(text), { format: 'v3' })).steps
    expect(derived.at(-1)?.prevHash).toBe(original.at(-1)?.prevHash)
    expect(derived.map(({ hash }) => hash)).toEqual(original.map(({ hash }) => hash))
    expect({ ...derived[0] }).toEqual(original[0])
    expect(structuredClone(derived)).toEqual(original)
  }
})

test('a payload that was read cannot be changed in place', () => {
  const [first] = load().steps as [TraceStep]
  expect(() => {
    ;(first.payload as JsonObject).model = 'other'
  }).toThrow(TypeError)
  expect(() => {
    ;((first.payload as JsonObject).messages as unknown[]).push('more')
  }).toThrow(TypeError)
})

test('a step that was changed before its hash was read fails verification', () => {
  const change = (members: Partial<TraceStep>): Trace => {
    const trace = load()
    Object.assign(trace.steps[1] as TraceStep, members)
    return trace
  }
  expect(failing(load())).toBeUndefined()
  expect(failing(change({ timestamp: 0 }))).toBe('hash_chain step 1')
  expect(failing(change({ payload: { type: 'final_answer', text: 'x' } }))).toBe('hash_chain step 1')
  expect(failing(change({ hash: 'f'.repeat(64) }))).toBe('hash_chain step 1')
  expect(failing(change({ prevHash: null }))).toBe('hash_chain step 1')
})

test('messages that requests share are one object', () => {
  const { steps } = load()
  const messagesOf = (at: number) => ((steps[at] as TraceStep).payload as { messages: JsonValue[] }).messages
  expect(messagesOf(4)[0]).toBe(messagesOf(0)[0])
})
