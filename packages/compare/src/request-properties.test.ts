import type { Message, MessagePart, ModelInput } from '@retake/trace'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toComparable } from './comparable.ts'
import { compareRequests, equalRequests } from './compare-requests.ts'

// Few words and ids, so that equal and nearly equal requests are common.
const word = fc.constantFrom('', 'a', 'b', 'a\n\nb')
const id = fc.constantFrom('', 'x', 'y')
const json = fc.constantFrom<never>(
  ...([null, 1, 'a', [1], [1, 2], { a: 1 }, { a: { b: [1] } }, { c: 1, a: 1 }] as never[]),
)
const name = fc.constantFrom('f', 'g')

const part: fc.Arbitrary<MessagePart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: word }),
  fc.record({ type: fc.constant('tool_use' as const), toolCallId: id, toolName: name, toolInput: json }),
  fc.record({ type: fc.constant('tool_result' as const), toolCallId: id, toolName: name, result: json }),
  fc.record({ type: fc.constant('tool_result' as const), toolCallId: id, toolName: name, error: word }),
  fc.record({ type: fc.constant('refusal' as const), text: word }),
)
const message: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system'),
  content: fc.oneof(word, fc.array(part, { maxLength: 3 })),
})
const tool = fc.record({ name, description: word, inputSchema: json })
const request: fc.Arbitrary<ModelInput> = fc.record(
  {
    messages: fc.array(message, { maxLength: 5 }),
    tools: fc.array(tool, { maxLength: 2 }),
    systemPrompt: word,
    params: fc.dictionary(fc.constantFrom('temperature', 'stop', '__proto__'), json, { maxKeys: 2 }),
  },
  { requiredKeys: ['messages', 'tools'] },
)

/** The same request and one with a message taken out, repeated, swapped or replaced. */
const nearby: fc.Arbitrary<[ModelInput, ModelInput]> = fc
  .tuple(request, fc.nat(4), fc.nat(1), fc.array(message, { maxLength: 1 }))
  .map(([one, at, remove, insert]) => [one, { ...one, messages: one.messages.toSpliced(at, remove, ...insert) }])

const runs = { numRuns: 3_000 }

test('two requests are equal exactly when they have no differences', () => {
  fc.assert(
    fc.property(fc.oneof(nearby, fc.tuple(request, request)), ([one, other]) => {
      const differences = compareRequests(one, other)
      expect(equalRequests(one, other)).toBe(differences.length === 0)
      expect(compareRequests(other, one).length === 0).toBe(differences.length === 0)
    }),
    runs,
  )
})

test('the comparable form is a fixed point and equal to its request', () => {
  fc.assert(
    fc.property(request, (one) => {
      const comparable = toComparable(one)
      expect(toComparable(comparable)).toEqual(comparable)
      expect(equalRequests(one, comparable)).toBe(true)
    }),
    runs,
  )
})

test('other ids make no difference while each stands for the same call', () => {
  const renamed = (value: ModelInput): ModelInput =>
    JSON.parse(JSON.stringify(value), (key, member) => (key === 'toolCallId' ? `new-${member}` : member))
  fc.assert(
    fc.property(request, (one) => {
      expect(compareRequests(one, renamed(one))).toEqual([])
    }),
    runs,
  )
})
