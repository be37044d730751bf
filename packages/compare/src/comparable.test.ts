import type { Message, MessagePart, ModelInput } from '@retake/trace'
import { expect, test } from 'vitest'
import { toComparable } from './comparable.ts'
import { equalRequests } from './compare-requests.ts'

const request = (messages: Message[], rest: Partial<ModelInput> = {}): ModelInput => ({ messages, tools: [], ...rest })
const user = (content: Message['content']): Message => ({ role: 'user', content })
const assistant = (content: Message['content']): Message => ({ role: 'assistant', content })
const text = (value: string): MessagePart => ({ type: 'text', text: value })
const call = (toolCallId: string, toolName = 'lookup', toolInput: object = {}): MessagePart => ({
  type: 'tool_use',
  toolCallId,
  toolName,
  toolInput: toolInput as never,
})
const result = (toolCallId: string, value = 'late', toolName = 'lookup'): MessagePart => ({
  type: 'tool_result',
  toolCallId,
  toolName,
  result: value,
})

const equal = (one: ModelInput | Message[], other: ModelInput | Message[]) =>
  equalRequests(Array.isArray(one) ? request(one) : one, Array.isArray(other) ? request(other) : other)

test('ids of tool calls are replaced by labels in order of appearance', () => {
  const history = [
    user('hi'),
    assistant([call('toolu_9'), call('toolu_1')]),
    user([result('toolu_9'), result('toolu_1')]),
  ]
  expect(toComparable(request(history)).messages).toEqual([
    user('hi'),
    assistant([call('call-0'), call('call-1')]),
    user([result('call-0'), result('call-1')]),
  ])
  expect(
    equal(history, [history[0], assistant([call('a'), call('b')]), user([result('a'), result('b')])] as Message[]),
  ).toBe(true)
})

test('a result that answers the other call is not the same', () => {
  const asked = assistant([call('a'), call('b')])
  expect(
    equal([asked, user([result('a', 'x'), result('b', 'y')])], [asked, user([result('b', 'x'), result('a', 'y')])]),
  ).toBe(false)
})

test('an id used again in a later turn stands for the later call', () => {
  const reused = [assistant([call('a')]), user([result('a', 'x')]), assistant([call('a')]), user([result('a', 'y')])]
  const unique = [assistant([call('a')]), user([result('a', 'x')]), assistant([call('b')]), user([result('b', 'y')])]
  const stale = [assistant([call('a')]), user([result('a', 'x')]), assistant([call('b')]), user([result('a', 'y')])]
  expect(equal(reused, unique)).toBe(true)
  expect(equal(reused, stale)).toBe(false)
})

test('calls without ids are answered in order, each by a result of its own tool', () => {
  const bare = [assistant([call('', 'one'), call('', 'two')]), user([result('', 'x', 'two'), result('', 'y', 'one')])]
  const named = [
    assistant([call('a', 'one'), call('b', 'two')]),
    user([result('b', 'x', 'two'), result('a', 'y', 'one')]),
  ]
  expect(equal(bare, named)).toBe(true)
})

test('results without a call keep apart from one another and from results of calls', () => {
  expect(equal([user([result('x'), result('y')])], [user([result('p'), result('q')])])).toBe(true)
  expect(equal([user([result('x'), result('y')])], [user([result('p'), result('p')])])).toBe(false)
  expect(equal([assistant([call('a')]), user([result('a')])], [assistant([call('a')]), user([result('z')])])).toBe(
    false,
  )
})

test('the tool name of a result follows from its call and is not compared', () => {
  const asked = assistant([call('a')])
  expect(equal([asked, user([result('a', 'x', 'unknown')])], [asked, user([result('a', 'x', 'lookup')])])).toBe(true)
})

test('how text is split into blocks and messages makes no difference', () => {
  expect(equal([user('a\n\nb')], [user([text('a'), text('b')])])).toBe(true)
  expect(equal([user('a\n\nb')], [user('a'), user([text(''), text('b')])])).toBe(true)
  expect(equal([user('a')], [user([text('a')])])).toBe(true)
  expect(equal([assistant('')], [assistant([])])).toBe(true)
})

test('the text of an assistant turn comes before its calls', () => {
  const split = [assistant([text('a'), call('1'), text('b')]), assistant([call('2')])]
  expect(toComparable(request(split)).messages).toEqual([assistant([text('a\n\nb'), call('call-0'), call('call-1')])])
})

test('the order of text and results in a user turn counts', () => {
  const asked = assistant([call('1')])
  expect(equal([asked, user([text('a'), result('1')])], [asked, user([result('1'), text('a')])])).toBe(false)
  expect(equal([asked, user([result('1')]), user('a')], [asked, user([result('1'), text('a')])])).toBe(true)
})

test('messages of other roles or names are not merged', () => {
  expect(equal([user('a'), assistant('b')], [user('a\n\nb')])).toBe(false)
  expect(equal([{ role: 'user', content: 'a', name: 'ann' }, user('b')], [user('a\n\nb')])).toBe(false)
  expect(equal([{ role: 'user', content: 'a', name: 'ann' }], [{ role: 'user', content: 'a', name: 'bob' }])).toBe(
    false,
  )
  expect(equal([{ role: 'system', content: 'a' }], [user('a')])).toBe(false)
})

test('an error is not the same as a result of the same text, nor a string as the value it spells', () => {
  const asked = assistant([call('1')])
  const failed: MessagePart = { type: 'tool_result', toolCallId: '1', toolName: 'lookup', error: 'late' }
  expect(equal([asked, user([failed])], [asked, user([result('1')])])).toBe(false)
  expect(equal([assistant([call('1', 'f', { n: 1 })])], [assistant([call('1', 'f', { n: '1' })])])).toBe(false)
})

test('a text is not the same as a refusal of the same words', () => {
  expect(equal([assistant('no')], [assistant([{ type: 'refusal', text: 'no' }])])).toBe(false)
})

test('white space and escapes in argument text do not count, numbers and repeated keys do', () => {
  const asked = (inputText: string | undefined, toolInput: object): Message[] => [
    assistant([{ ...call('1', 'f', toolInput), ...(inputText !== undefined && { inputText }) } as MessagePart]),
  ]
  expect(equal(asked('{ "a" : "\\u00e9" }', { a: 'é' }), asked(undefined, { a: 'é' }))).toBe(true)
  const big = 12345678901234567000
  expect(equal(asked('{"a":12345678901234567890}', { a: big }), asked('{"a":12345678901234567891}', { a: big }))).toBe(
    false,
  )
  expect(equal(asked('{"a":1,"a":2}', { a: 2 }), asked(undefined, { a: 2 }))).toBe(false)
  expect(equal(asked('{"a":"x  y"}', { a: 'x  y' }), asked(undefined, { a: 'x  y' }))).toBe(true)
})

test('the order of tools and of object members makes no difference, tools themselves do', () => {
  const one = { name: 'one', description: 'One.', inputSchema: { type: 'object', properties: { a: {}, b: {} } } }
  const turned = { description: 'One.', inputSchema: { properties: { b: {}, a: {} }, type: 'object' }, name: 'one' }
  const two = { name: 'two', description: '' }
  expect(equal(request([], { tools: [one, two] }), request([], { tools: [two, turned] }))).toBe(true)
  expect(equal(request([], { tools: [one] }), request([], { tools: [one, two] }))).toBe(false)
  expect(equal(request([], { tools: [two] }), request([], { tools: [{ ...two, options: { strict: true } }] }))).toBe(
    false,
  )
})

test('params that ask for nothing are none, all others count', () => {
  expect(equal(request([]), request([], { params: {} }))).toBe(true)
  expect(equal(request([], { params: { temperature: null } }), request([]))).toBe(true)
  expect(equal(request([], { params: { temperature: 0 } }), request([]))).toBe(false)
  expect(equal(request([], { params: { other: { x: null } } }), request([]))).toBe(false)
})

test('an empty system prompt is not the same as none', () => {
  expect(equal(request([], { systemPrompt: '' }), request([]))).toBe(false)
})

test('members named like inherited ones are compared like any other', () => {
  const input = (source: string) => request([assistant([call('1', 'f', JSON.parse(source))])])
  expect(equal(input('{"__proto__":{"a":1}}'), input('{"__proto__":{"a":2}}'))).toBe(false)
  expect(equal(input('{"constructor":1}'), input('{"toString":1}'))).toBe(false)
  expect(equal(input('{"__proto__":1}'), input('{}'))).toBe(false)
})

test('the request that goes in is left as it is', () => {
  const history = [user([text('a'), text('b')]), assistant([call('x')]), user([result('x')])]
  const given = request(history, {
    tools: [
      { name: 'b', description: '' },
      { name: 'a', description: '' },
    ],
  })
  const copy = structuredClone(given)
  toComparable(given)
  expect(given).toEqual(copy)
})
