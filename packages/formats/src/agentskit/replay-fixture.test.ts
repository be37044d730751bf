import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createAdapterCassette } from './adapter-cassette.ts'
import type { ApplicationTraceRecord } from './application-trace.ts'
import { createReplayFixture, parseReplayFixture, serializeReplayFixture } from './replay-fixture.ts'

const corpus = new URL('../../../../test/corpus/agentskit/', import.meta.url)
const published = readFileSync(new URL('captured-session.json', corpus), 'utf8')

const record: ApplicationTraceRecord = {
  ...{ id: 'trace-0', sequence: 0, at: '1970-01-01T00:00:00.000Z', category: 'route', detail: {} },
}
const fixture = {
  protocol: 'agentskit.chat.replay',
  version: 1,
  cassette: { version: 1, entries: [] },
  traces: [record],
}
const message = {
  ...{ id: 'm', role: 'user', content: 'hi', status: 'complete', createdAt: '2026-01-01T00:00:00.000Z' },
}
const withEntry = (request: unknown, chunks: unknown = []) => ({
  ...fixture,
  cassette: { version: 1, entries: [{ request, chunks }] },
})
const withChunk = (chunk: unknown) => withEntry({ messages: [message] }, [chunk])
const parse = (value: unknown) => parseReplayFixture(JSON.stringify(value), 'a.json')

test('the published fixture comes back as it is, and its text is stable', () => {
  const text = serializeReplayFixture(parseReplayFixture(published))
  expect(JSON.parse(text)).toEqual(JSON.parse(published))
  expect(serializeReplayFixture(parseReplayFixture(text))).toBe(text)
  expect(parseReplayFixture(published).cassette.entries[0]?.request.messages[0]?.createdAt).toEqual(new Date(0))
})

test.each([
  ['another protocol', { ...fixture, protocol: 'other' }, 'The protocol of a replay fixture is agentskit.chat.replay.'],
  ['another version', { ...fixture, version: 2 }, 'The version of a replay fixture is 1.'],
  ['no traces', { ...fixture, traces: undefined }, 'A replay fixture is not complete.'],
  ['another member', { ...fixture, other: 1 }, 'A replay fixture has a member that the format does not know.'],
  ['a list', [fixture], 'A replay fixture is not complete.'],
  [
    'another member of a trace',
    { ...fixture, traces: [{ ...record, other: 1 }] },
    'A trace has a member that the format',
  ],
  ['an id that is not portable', { ...fixture, traces: [{ ...record, id: '-a' }] }, 'An id has 1 to 128 letters'],
  ['an id of 129', { ...fixture, traces: [{ ...record, id: 'a'.repeat(129) }] }, 'An id has 1 to 128 letters'],
  [
    'a sequence with a fraction',
    { ...fixture, traces: [{ ...record, sequence: 0.5 }] },
    'A sequence is a whole number.',
  ],
  ['a gap', { ...fixture, traces: [{ ...record, sequence: 1 }] }, 'Trace sequence must be contiguous.'],
  ['an id twice', { ...fixture, traces: [record, { ...record, sequence: 1 }] }, 'Trace ids must be unique.'],
  [
    'its own parent',
    { ...fixture, traces: [{ ...record, parentId: 'trace-0' }] },
    'Trace parent must precede its child.',
  ],
  [
    'a parent behind its child',
    {
      ...fixture,
      traces: [
        { ...record, parentId: 'b' },
        { ...record, id: 'b', sequence: 1 },
      ],
    },
    'Trace parent must precede its child.',
  ],
  ['another category', { ...fixture, traces: [{ ...record, category: 'x' }] }, 'A trace category is one of'],
  ['no ISO time', { ...fixture, traces: [{ ...record, at: '1 May 2026' }] }, 'A trace time is ISO 8601 in UTC.'],
  ['a detail that is text', { ...fixture, traces: [{ ...record, detail: 'x' }] }, 'A trace detail is an object.'],
  ['no cassette', { ...fixture, cassette: undefined }, 'A replay fixture is not complete.'],
  ['a cassette that is null', { ...fixture, cassette: null }, 'Invalid cassette: root must be an object'],
  ['its version', { ...fixture, cassette: { version: 2, entries: [] } }, 'Unsupported cassette version: 2'],
  ['no entries', { ...fixture, cassette: { version: 1 } }, 'Invalid cassette: entries missing'],
  [
    'its seed',
    { ...fixture, cassette: { version: 1, entries: [], seed: {} } },
    'seed must be a string or finite number',
  ],
  ['its metadata', { ...fixture, cassette: { version: 1, entries: [], metadata: 1 } }, 'metadata must be an object'],
  ['an entry', { ...fixture, cassette: { version: 1, entries: [1] } }, 'entries[0] must be an object'],
  ['a request', withEntry(1), 'entries[0].request must be an object'],
  ['messages', withEntry({}), 'entries[0].request.messages must be an array'],
  ['a message', withEntry({ messages: [{ ...message, content: 1 }] }), 'messages[0] has an invalid message shape'],
  ['a role', withEntry({ messages: [{ ...message, role: 'x' }] }), 'messages[0] has an invalid message shape'],
  ['a date', withEntry({ messages: [{ ...message, createdAt: 'x' }] }), 'createdAt must be an ISO date string'],
  ['a context', withEntry({ messages: [message], context: null }), 'entries[0].request.context must be an object'],
  ['tools', withEntry({ messages: [message], context: { tools: 'x' } }), 'request.context.tools must be an array'],
  ['a tool', withEntry({ messages: [message], context: { tools: [{}] } }), 'tools[0] must be an object with a name'],
  ['chunks', withEntry({ messages: [message] }, {}), 'entries[0].chunks must be an array'],
  ['a type of chunk', withChunk({ type: 'x' }), 'entries[0].chunks[0] has an invalid type'],
  ['the content of a chunk', withChunk({ type: 'text', content: 1 }), 'chunks[0].content must be a string'],
  ['the call of a chunk', withChunk({ type: 'tool_call', toolCall: {} }), 'chunks[0].toolCall has an invalid shape'],
  ['the usage of a chunk', withChunk({ type: 'usage', usage: {} }), 'chunks[0].usage has an invalid shape'],
])('%s is refused by parse, at a line of the file', (_, value, reason) => {
  expect(() => parse(value)).toThrow(expect.objectContaining({ code: 'RETAKE_CASSETTE_CORRUPT' }))
  expect(() => parse(value)).toThrow(reason)
  expect(() => parse(value)).toThrow(/\n {2}a\.json:1:\d+$/)
})

test.each([
  ['text that is no JSON', '{"protocol":'],
  ['a name that stands twice', '{"protocol":1,"protocol":2}'],
  ['nesting without end', '['.repeat(100_000)],
  [
    'a detail that nests too deep',
    JSON.stringify(fixture).replace('"detail":{}', `"detail":{"a":${'['.repeat(300)}${']'.repeat(300)}}`),
  ],
])('%s is refused', (_, text) => {
  expect(() => parseReplayFixture(text)).toThrow(expect.objectContaining({ code: 'RETAKE_CASSETTE_CORRUPT' }))
})

test('16 MiB are read, a byte more and 17 MiB are not parsed at all', () => {
  const text = JSON.stringify(fixture)
  const padded = (bytes: number) => text + ' '.repeat(bytes - text.length)
  expect(parseReplayFixture(padded(16 * 2 ** 20)).traces).toEqual([record])
  expect(() => parseReplayFixture(padded(16 * 2 ** 20 + 1))).toThrow('Replay fixture exceeds 16 MiB.')
  expect(() => parseReplayFixture('é'.repeat(17 * 2 ** 19))).toThrow('Replay fixture exceeds 16 MiB.')
})

test('10,000 traces are read, one more is not', () => {
  const traces = Array.from({ length: 10_001 }, (_, sequence) => ({ ...record, id: `trace-${sequence}`, sequence }))
  expect(
    parse({ ...fixture, traces: traces.slice(1).map((trace, sequence) => ({ ...trace, sequence })) }).traces.length,
  ).toBe(10_000)
  expect(() => parse({ ...fixture, traces })).toThrow('A fixture has at most 10,000 traces.')
})

test('a detail of 64 KiB is read, a byte more is not', () => {
  const withDetail = (bytes: number) => ({
    ...fixture,
    traces: [{ ...record, detail: { text: 'x'.repeat(bytes - 11) } }],
  })
  expect(parse(withDetail(65_536)).traces).toHaveLength(1)
  expect(() => parse(withDetail(65_537))).toThrow('Trace detail exceeds 64 KiB.')
})

test('a fixture that could not be read again is not made', () => {
  expect(() => createReplayFixture({ ...createAdapterCassette(), version: 2 as 1 }, [])).toThrow(
    'the replay fixture cannot be made: Unsupported cassette version: 2\n  cassette.version',
  )
  expect(() => createReplayFixture(createAdapterCassette(), [{ ...record, sequence: 1 }])).toThrow(
    expect.objectContaining({ code: 'RETAKE_CONFIG', details: { where: 'traces[0].sequence' } }),
  )
})

test('names of a prototype, lone surrogates and members of the cassette that nobody knows are kept', () => {
  const text = JSON.stringify(withEntry({ messages: [{ ...message, content: '\ud800', other: [1] }] })).replace(
    '"detail":{}',
    '"detail":{"__proto__":{"polluted":true}}',
  )
  const again = serializeReplayFixture(parseReplayFixture(text))
  expect(JSON.stringify(JSON.parse(again))).toBe(text)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})
