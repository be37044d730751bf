import { expect, test } from 'vitest'
import { captureActionPolicyTrace, captureActionTrace, captureTurnTrace } from './captured-events.ts'
import { createTraceCapture } from './trace-capture.ts'

const epoch = () => new Date(0)
/** A detail whose compact JSON, `{"text":"…"}`, has this many bytes. */
const detailOf = (bytes: number) => ({ text: 'x'.repeat(bytes - 11) })

test('fields are redacted by name, in any case and at any depth; what was given stays as it is', () => {
  const capture = createTraceCapture({ redactFields: ['token', 'Authorization'], now: epoch })
  const detail = { authorization: 'Bearer x', list: [{ TOKEN: { deep: 1 } }], tokens: 'kept', note: 'token' }
  const record = capture.append({ category: 'route', detail })
  expect(record).toEqual({
    id: 'trace-0',
    sequence: 0,
    at: '1970-01-01T00:00:00.000Z',
    category: 'route',
    detail: { authorization: '[REDACTED]', list: [{ TOKEN: '[REDACTED]' }], tokens: 'kept', note: 'token' },
  })
  expect(detail.list).toEqual([{ TOKEN: { deep: 1 } }])
})

test('records are copies, frozen; a snapshot does not grow', () => {
  const capture = createTraceCapture()
  const detail = { nested: { list: [1] } }
  const record = capture.append({ category: 'lifecycle', detail })
  const snapshot = capture.snapshot()
  detail.nested.list.push(2)
  capture.append({ category: 'lifecycle', detail: {}, parentId: record.id })
  expect(snapshot).toEqual([{ ...record, detail: { nested: { list: [1] } } }])
  expect([snapshot, snapshot[0], snapshot[0]?.detail.nested].every(Object.isFrozen)).toBe(true)
  expect(capture.snapshot().map(({ parentId }) => parentId)).toEqual([undefined, 'trace-0'])
})

test('a detail of 64 KiB is kept, a byte more is not, by its UTF-8', () => {
  const capture = createTraceCapture()
  expect(() => capture.append({ category: 'agent', detail: detailOf(65_536) })).not.toThrow()
  expect(() => capture.append({ category: 'agent', detail: detailOf(65_537) })).toThrow('Trace detail exceeds 64 KiB.')
  expect(() => capture.append({ category: 'agent', detail: { text: 'é'.repeat(32_763) } })).toThrow('64 KiB')
  expect(capture.snapshot()).toHaveLength(1)
})

test('the limit holds before redaction and after it', () => {
  const capture = createTraceCapture({ redactFields: ['t'] })
  expect(() => capture.append({ category: 'agent', detail: { t: 'x'.repeat(65_530) } })).toThrow('64 KiB')
  // {"list":[{"t":1}, …]} has 8 bytes a member before and 19 after.
  const detail = (members: number) => ({ list: Array.from({ length: members }, () => ({ t: 1 })) })
  expect(() => capture.append({ category: 'agent', detail: detail(3_448) })).not.toThrow()
  expect(() => capture.append({ category: 'agent', detail: detail(3_449) })).toThrow('64 KiB')
})

test('10,000 records are kept, one more is not', () => {
  const capture = createTraceCapture({ now: epoch })
  for (let n = 0; n < 10_000; n++) capture.append({ category: 'agent', detail: {} })
  expect(() => capture.append({ category: 'agent', detail: {} })).toThrow('at most 10,000 traces')
})

test.each([
  ['a parent that is not there', { parentId: 'trace-0' }, 'Trace parent must refer to an earlier record.'],
  ['another category', { category: 'other' }, 'A trace category is one of route, agent, repair'],
  ['a time that is none', { at: '2026-02-30T00:00:00Z' }, 'A trace time is ISO 8601 in UTC.'],
  ['a time of a zone', { at: '2026-01-01T00:00:00+01:00' }, 'A trace time is ISO 8601 in UTC.'],
  ['a detail that is a list', { detail: [] }, 'A trace detail is an object.'],
  ['a name without characters', { detail: { '': 1 } }, 'The names in a trace detail have 1 to 128 characters.'],
  ['a name of 129', { detail: { ['n'.repeat(129)]: 1 } }, 'The names in a trace detail have 1 to 128 characters.'],
  ['a detail JSON cannot hold', { detail: { n: 1n } }, 'A bigint in the detail of a trace at n cannot be stored'],
])('%s is refused', (_, given, message) => {
  const capture = createTraceCapture()
  expect(() => capture.append({ category: 'route', detail: {}, ...given } as never)).toThrow(message)
  expect(capture.snapshot()).toEqual([])
})

test('a name of 128 characters and times in the forms of ISO 8601 are taken', () => {
  const capture = createTraceCapture()
  const at = ['2026-01-01T00:00Z', '2026-01-01T00:00:00Z', '2024-02-29T23:59:59.123456Z']
  for (const time of at) capture.append({ category: 'route', at: time, detail: { ['n'.repeat(128)]: null } })
  expect(capture.snapshot().map((record) => record.at)).toEqual(at)
})

test('a detail with the names of a prototype is data like any other', () => {
  const detail = JSON.parse('{"__proto__":{"token":"x"},"constructor":1}')
  const record = createTraceCapture({ redactFields: ['token'] }).append({ category: 'route', detail })
  expect(JSON.stringify(record.detail)).toBe('{"__proto__":{"token":"[REDACTED]"},"constructor":1}')
})

test('turns, policies and actions of a chat become records', () => {
  const capture = createTraceCapture({ now: epoch })
  const turn = { fromState: 'idle', toState: 'open' }
  const route = captureTurnTrace(capture, { ...turn, kind: 'deterministic', routeId: 'support' })
  captureTurnTrace(capture, { ...turn, kind: 'agentic' }, route.id)
  captureTurnTrace(capture, { ...turn, kind: 'repaired', routeId: 'r' })
  captureTurnTrace(capture, { ...turn, kind: 'fallback' })
  const policy = {
    ...{ id: 'p1', toolCallId: 't1', action: 'open-ticket', phase: 'propose', decision: 'allow', reason: 'allowed' },
    requiredCapabilities: ['ticket.write'],
  }
  captureActionPolicyTrace(capture, { ...policy, timestamp: 1000 }, route.id)
  const action = { action: 'open-ticket', toolCallId: 't1', status: 'approved', expiresAt: 10 }
  captureActionTrace(capture, { ...action, token: 'secret', input: { private: 1 } } as typeof action, route.id)
  const { id: policyTraceId, ...decided } = policy
  expect(capture.snapshot().map(({ category, parentId, at, detail }) => [category, parentId, at, detail])).toEqual([
    ['route', undefined, '1970-01-01T00:00:00.000Z', { kind: 'deterministic', routeId: 'support', ...turn }],
    ['agent', 'trace-0', '1970-01-01T00:00:00.000Z', { kind: 'agentic', ...turn }],
    ['repair', undefined, '1970-01-01T00:00:00.000Z', { kind: 'repaired', routeId: 'r', ...turn }],
    ['fallback', undefined, '1970-01-01T00:00:00.000Z', { kind: 'fallback', ...turn }],
    ['policy', 'trace-0', '1970-01-01T00:00:01.000Z', { policyTraceId, ...decided }],
    ['action', 'trace-0', '1970-01-01T00:00:00.000Z', action],
  ])
})
