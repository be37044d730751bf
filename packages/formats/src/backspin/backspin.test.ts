import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, verifyTrace } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../../test/corpus-bundles.ts'
import { parseTokens } from '../json/parse-tokens.ts'
import { toPlain } from '../json/plain-json.ts'
import { printPython } from '../json/print-python.ts'
import type { TokenObject } from '../json/tokens.ts'
import { readRun } from '../read-run.ts'
import { diffBackspin } from './diff-runs.ts'
import { fingerprint } from './fingerprint.ts'
import { backspin } from './format.ts'
import { loadBackspin } from './load-run.ts'
import { parseBackspin } from './parse-run.ts'
import { verifyBackspin } from './verify-run.ts'
import { formatBackspin, saveBackspin } from './write-run.ts'

const corpus = join(import.meta.dirname, '../../../../test/corpus/backspin')
const names = ['written-by-python', 'anthropic', 'failed-call']
const pathOf = (name: string) => join(corpus, `${name}.backspin.jsonl`)
const textOf = (name: string) => readFileSync(pathOf(name), 'utf8')
const python = textOf('written-by-python')
const codeOf = (text: string) => verifyBackspin(text).checks.find(({ status }) => status === 'fail')?.code

const { vectors } = JSON.parse(readFileSync(join(corpus, 'fingerprint-vectors.generated.json'), 'utf8')) as {
  vectors: { name: string; canonical: string; fingerprint: string }[]
}
test.each(vectors)('the fingerprint of $name', ({ canonical, fingerprint: expected }) => {
  const given = parseTokens(canonical, { nonFinite: true }) as TokenObject
  expect(fingerprint(given.get('model') ?? null, given.get('messages') ?? null)).toBe(expected)
})

describe.each(names)('%s', (name) => {
  const text = textOf(name)

  test('comes back to the byte', () => {
    expect(formatBackspin(parseBackspin(text))).toBe(text)
  })

  test('each of its lines is what Python writes of its members', () => {
    const run = parseBackspin(text)
    expect([run.header, ...run.events].map(({ members }) => `${printPython(members)}\n`).join('')).toBe(text)
  })

  test('passes every check', () => {
    expect(verifyBackspin(text)).toMatchObject({ format: 'backspin', version: 1, pass: true })
  })

  test('is a trace that passes every check', () => {
    const { format, trace, missing } = readRun(pathOf(name))
    expect([format, missing]).toEqual(['backspin', []])
    expect(verifyTrace(trace).checks.filter(({ status }) => status !== 'pass')).toEqual([])
  })
})

// The examples of the format page, on one line each.
const page = [
  '{"kind": "header", "schema": 1, "run_id": "9f31c2ab77e0", "agent": "support-bot", "created_at": 1756448402.1, "backspin_version": "0.3.0", "metadata": {}}',
  '{"kind": "log", "seq": 1, "level": "info", "message": "user asks: ..."}',
  '{"kind": "llm", "seq": 3, "ts": 1756448402.1, "model": "gpt-4o-mini", "duration_ms": 812.4, "fingerprint": "9f31c2ab77e01d44", "request": {"model": "gpt-4o-mini", "messages": []}, "response": {"choices": []}, "usage": {"prompt_tokens": 120, "completion_tokens": 45}, "error": "upstream HTTP 500: ..."}',
  '{"kind": "tool", "seq": 4, "name": "get_weather", "args": {"args": ["Paris"], "kwargs": {}}, "result": "22C, sunny", "duration_ms": 3.2, "error": null}',
  '{"kind": "error", "seq": 9, "message": "boom", "error_type": "RuntimeError", "traceback": "Traceback (most recent call last): ..."}',
  '{"kind": "guardrail", "seq": 10, "verdict": "blocked", "new_field": [1.0, {"2": 1e-05}]}',
].map((line) => `${line}\n`)

describe('the reader is tolerant by the rules of the format', () => {
  test('the examples of its page keep every member and kind', () => {
    const run = parseBackspin(page.join(''))
    expect(run.events.map(({ members }) => members.get('kind'))).toEqual(['log', 'llm', 'tool', 'error', 'guardrail'])
    expect(formatBackspin(run)).toBe(page.join(''))
    expect(toPlain(run.events[4]?.members ?? null)).toMatchObject({ new_field: [1, { 2: 0.00001 }] })
  })

  test('blank lines and Windows line ends are skipped', () => {
    expect(parseBackspin(`\n${page.join('\r\n\n')}`).events).toHaveLength(5)
  })

  test('a last line that was not finished is reported and survived', () => {
    const cut = python.slice(0, -20)
    const run = parseBackspin(cut)
    expect(run.events).toHaveLength(7)
    expect(run.truncated?.line).toBe(9)
    expect(formatBackspin(run)).toBe(cut)
    expect(codeOf(cut)).toBe('truncated_line')
  })

  test('also where it ends in the middle of a character', () => {
    const path = join(newFolder(), 'cut.backspin.jsonl')
    const bytes = Buffer.from(`${page.join('')}{"kind": "log", "message": "é"}`)
    writeFileSync(path, bytes.subarray(0, bytes.indexOf(0xc3) + 1))
    expect(loadBackspin(path).truncated?.line).toBe(7)
    expect(readRun(path)).toMatchObject({
      format: 'backspin',
      lost: expect.arrayContaining([expect.objectContaining({ where: 'line 7' })]),
    })
  })

  test.each([
    ['another schema', page.join('').replace('"schema": 1', '"schema": 2'), 'RETAKE_CASSETTE_VERSION'],
    ['no schema', page.join('').replace('"schema": 1, ', ''), 'RETAKE_CASSETTE_VERSION'],
    ['no header', page.slice(1).join(''), 'RETAKE_CASSETTE_CORRUPT'],
    ['nothing', '\n', 'RETAKE_CASSETTE_CORRUPT'],
    ['a broken line in the middle', page.join('').replace('"seq": 3,', '"seq": 3'), 'RETAKE_CASSETTE_CORRUPT'],
    ['a broken last line that was finished', `${page.join('')}{"kind"\n`, 'RETAKE_CASSETTE_CORRUPT'],
    ['a line without a kind', `${page.join('')}{"seq": 11}\n`, 'RETAKE_CASSETTE_CORRUPT'],
    ['a line that is a list', `${page.join('')}[]\n`, 'RETAKE_CASSETTE_CORRUPT'],
    ['a member twice', `${page.join('')}{"kind": "log", "kind": "log"}\n`, 'RETAKE_CASSETTE_CORRUPT'],
    ['a header that was not finished', '{"kind": "header", "sch', 'RETAKE_CASSETTE_CORRUPT'],
  ])('%s is one typed error', (_, text, code) => {
    expect(() => parseBackspin(text)).toThrow(expect.objectContaining({ code }))
    expect(codeOf(text)).toBe(code)
  })
})

describe('verify', () => {
  test.each([
    ['a message', (text: string) => text.replace('How warm is it', 'How cold is it'), 'fingerprint_mismatch'],
    [
      'a model',
      (text: string) => text.replaceAll('"model": "gpt-4o-mini"', '"model": "gpt-4o"'),
      'fingerprint_mismatch',
    ],
    ['a number', (text: string) => text.replace('"seq": 4', '"seq": 3'), 'sequence'],
    ['a span', (text: string) => text.replace('"phase": "enter"', '"phase": "exit"'), 'span_not_open'],
    ['a key', (text: string) => text.replace('boom', `sk-${'a1B2'.repeat(10)}`), 'secret'],
  ])('finds a changed %s', (_, change, code) => {
    expect(codeOf(change(python))).toBe(code)
  })

  test('a request that was redacted after it was hashed is not judged', () => {
    expect(codeOf(python.replaceAll('How warm is it in Paris?', '[redacted]'))).toBeUndefined()
  })

  test('the fingerprint of the TypeScript SDK, which prints numbers as JavaScript does, is one too', () => {
    // sha256('{"messages":[{"x":1}],"model":"m"}'), the vector "int 1"; Python reads 1.0.
    const line =
      '{"kind":"llm","seq":1,"model":"m","request":{"messages":[{"x":1.0}]},"fingerprint":"d422d004b3dfdb8f"}\n'
    expect(codeOf(page[0] + line)).toBeUndefined()
  })
})

describe('diff', () => {
  const change = (from: string, to: string) =>
    diffBackspin(parseBackspin(python), parseBackspin(python.replaceAll(from, to)))

  test('durations, tokens, arguments, results and answers do not count', () => {
    for (const [from, to] of [
      ['812.4', '9.9'],
      ['"Paris"]', '"Rome"]'],
      ['"22C, sunny", "span_id"', '"cold", "span_id"'],
      ['It is 22', 'It is 23'],
      ['": 61', '": 62'],
    ]) {
      expect(change(from as string, to as string)).toEqual({ firstDivergence: null, differences: [] })
    }
  })

  test.each([
    ['"fingerprint": "7df1d20615803f2f"', '"fingerprint": "0"', 2, 'fingerprint'],
    ['"name": "get_weather", "duration_ms"', '"name": "get_forecast", "duration_ms"', 3, 'name'],
    ['"message": "boom"', '"message": "bang"', 7, 'message'],
    ['"kind": "guardrail"', '"kind": "check"', 5, 'kind'],
  ])('%s does', (from, to, step, path) => {
    expect(change(from, to)).toMatchObject({ firstDivergence: step, differences: [{ step, path, kind: 'changed' }] })
  })

  test('a longer run is told step by step', () => {
    const shorter = parseBackspin(python.split('\n').slice(0, 7).join('\n'))
    expect(diffBackspin(shorter, parseBackspin(python)).differences).toMatchObject([
      { step: 6, kind: 'added' },
      { step: 7, kind: 'added', after: { kind: 'error', message: 'boom' } },
    ])
    expect(diffBackspin(parseBackspin(python), shorter).firstDivergence).toBe(6)
  })
})

describe('as a trace', () => {
  test('a tool loop: ids are renamed, the tool belongs to the call that asked for it', () => {
    const { trace, extras } = readRun(pathOf('written-by-python'))
    const of = (type: string) =>
      trace.steps.filter((step) => step.type === type).map(({ payload }) => payload as JsonObject)
    expect(of('tool_call')).toEqual([{ toolCallId: 'call-0', toolName: 'get_weather', toolInput: { city: 'Paris' } }])
    expect(of('tool_result')).toEqual([{ toolCallId: 'call-0', toolName: 'get_weather', result: '22C, sunny' }])
    expect(of('model_output')).toEqual([
      { type: 'tool_calls', calls: [{ toolCallId: 'call-0', toolName: 'get_weather', toolInput: { city: 'Paris' } }] },
      { type: 'final_answer', text: 'It is 22 °C and sunny in Paris.' },
    ])
    expect(of('model_input')[1]).toMatchObject({
      systemPrompt: 'You answer questions about the weather.',
      params: { temperature: 0.2 },
    })
    expect(extras[0]).toMatchObject({ tokens: { input: 61, output: 15 }, durationMs: 812.4 })
  })

  test('a failed call keeps its status and is not tried again by an SDK', () => {
    const { trace } = readRun(pathOf('failed-call'))
    expect(trace.steps[2]?.payload).toMatchObject({
      event: 'model_error',
      status: 429,
      kind: 'rate_limit',
      noRetry: true,
    })
  })

  test.each([
    ['messages', '{"kind":"llm","seq":1,"ts":1,"request":{"model":"m"},"response":{}}', 'messages of the request'],
    ['response', '{"kind":"llm","seq":1,"ts":1,"request":{"model":"m","messages":[]}}', 'the response'],
    ['request', '{"kind":"llm","seq":1,"ts":1,"response":{}}', 'the body of the request'],
    ['choices', '{"kind":"llm","seq":1,"ts":1,"request":{"model":"m","messages":[]},"response":{"a":1}}', 'choices'],
    ['provider', '{"kind":"llm","seq":1,"ts":1,"provider":"cohere","request":{},"response":{}}', 'the protocol'],
    ['status', '{"kind":"llm","seq":1,"ts":1,"request":{"model":"m","messages":[]},"error":"boom"}', 'the HTTP status'],
  ])('without %s it lacks what a replay needs', (_, line, what) => {
    const path = join(newFolder(), 'a.backspin.jsonl')
    writeFileSync(path, `${page[0]}${line}\n`)
    const { missing, trace } = readRun(path)
    expect(missing).toEqual([{ where: expect.stringContaining('event 1'), what: expect.stringContaining(what) }])
    expect(verifyTrace(trace).pass).toBe(true)
  })

  test('what has no place is told', () => {
    const { lost } = readRun(pathOf('written-by-python'))
    for (const where of [
      'event 3 span_id',
      'event 4 args',
      'event 5 response.reconstructed_from_stream',
      'event 6 score',
      'header metadata.ticket',
    ]) {
      expect(lost).toContainEqual({ where, what: expect.any(String) })
    }
  })

  test('there and back the run does the same, logs, spans and custom events included', () => {
    for (const name of names) {
      const written = backspin.write?.(readRun(pathOf(name)))
      if (!written || !('text' in written)) throw new TypeError('no text')
      const again = parseBackspin(written.text)
      const kinds = (run: typeof again) => run.events.map(({ members }) => members.get('kind'))
      expect(kinds(again)).toEqual(kinds(parseBackspin(textOf(name))))
      expect(verifyBackspin(written.text)).toMatchObject({ pass: true })
    }
  })

  test('a fork says what it branched from, and reads so', () => {
    const fork = readRun(join(corpus, '../blackbox/fork-child.v2.json'))
    const written = backspin.write?.(fork)
    if (!written || !('text' in written)) throw new TypeError('no text')
    const metadata = toPlain(parseBackspin(written.text).header.members.get('metadata') ?? null)
    expect(metadata).toMatchObject({
      branch_of: fork.trace.parentId,
      mode: 'fork',
      forked_from_step: fork.trace.forkedFromStepId,
    })
    const path = join(newFolder(), 'a.backspin.jsonl')
    writeFileSync(path, written.text)
    expect(readRun(path).trace).toMatchObject({
      parentId: fork.trace.parentId,
      forkedFromStepId: fork.trace.forkedFromStepId,
    })
  })
})

describe('what is written', () => {
  test('the fingerprint of a call that is only kept fits the numbers that a trace could hold', () => {
    const call = { model: 'm', request: { model: 'm', messages: [{ role: 'user', content: 'hi' }] }, response: {} }
    const line = JSON.stringify({ kind: 'llm', seq: 1, ts: 1.5, ...call }).replace('"hi"', '"hi","v":1.0')
    const stored = fingerprint('m', parseTokens('[{"role":"user","content":"hi","v":1.0}]') ?? null)
    const text = `${page[0]}\n${line.slice(0, -1)},"fingerprint":"${stored}"}\n`
    expect(codeOf(text)).toBeUndefined()
    const path = join(newFolder(), 'a.backspin.jsonl')
    writeFileSync(path, text)
    const written = backspin.write?.(readRun(path))
    if (!written || !('text' in written)) throw new Error('it writes one text')
    expect(codeOf(written.text)).toBeUndefined()
    expect(written.lost).toContainEqual(expect.objectContaining({ where: expect.stringContaining('fingerprint') }))
  })

  test('keys are masked, the rest of the line stays', () => {
    const key = `sk-${'a1B2'.repeat(10)}`
    const path = join(newFolder(), 'new/a.backspin.jsonl')
    saveBackspin(parseBackspin(python.replace('boom', `boom ${key}`)), path)
    expect(readFileSync(path, 'utf8')).toBe(python.replace('boom', 'boom [redacted]'))
  })

  test('a place where nothing can be written is told', () => {
    expect(() => saveBackspin(parseBackspin(python), '/dev/null/a.backspin.jsonl')).toThrow('cannot be written')
  })
})
