import { readFileSync } from 'node:fs'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { canonicalJson, type Trace } from '@retake/trace'
import { expect, test } from 'vitest'
import { detectFormat } from '../detect-format.ts'
import { readVcr } from './read-vcr.ts'

const corpus = new URL('../../../../test/corpus/vcr/', import.meta.url)
const published = (name: string) => readFileSync(new URL(name, corpus), 'utf8')

const url = 'https://api.openai.com/v1/chat/completions'
const asked = (content = 'Hi') => JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] })
const reply = (content = 'Hello') =>
  JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] })
const ruby = (request: object, response: object, more: object = {}) => ({
  request: { method: 'post', uri: url, body: { encoding: 'UTF-8', string: asked() }, headers: {}, ...request },
  response: {
    status: { code: 200, message: 'OK' },
    headers: {},
    body: { encoding: 'UTF-8', string: reply() },
    ...response,
  },
  ...more,
})
const json = (...interactions: object[]) =>
  JSON.stringify({ http_interactions: interactions, recorded_with: 'VCR 6.4.0' })
const read = (...interactions: object[]) => readVcr(json(...interactions), 'a.json')
const shown = ({ steps }: Trace) =>
  steps.map(({ type, payload }) => {
    const { text, kind, toolName, result } = payload as Record<string, unknown>
    return [type, text ?? kind ?? toolName ?? result]
  })
const answered = [
  ['model_input', undefined],
  ['model_output', 'Hello'],
  ['metadata', 'Hello'],
]

test.each(['openai-stream.yaml', 'openai-gzip.yaml', 'anthropic-parsed.yaml', 'gemini.yaml'])(
  '%s is recognized',
  (name) => {
    const source = { kind: 'file' as const, path: 'x', text: published(name) }
    expect(detectFormat(source)?.name).toBe('vcr')
    expect(detectFormat(source)?.read(source).trace.steps).toHaveLength(5)
    const checks = [{ name: 'schema', status: 'pass', detail: '5 step(s)' }]
    expect(detectFormat(source)?.verify?.(source)).toEqual({ format: 'vcr', version: null, pass: true, checks })
  },
)

test('verify says what is wrong with a recording, and where', () => {
  const text = published('gemini.yaml').replace('  response:', '  response: [')
  const source = { kind: 'file' as const, path: 'a.yaml', text }
  expect(detectFormat(source)?.verify?.(source)).toMatchObject({
    pass: false,
    checks: [
      {
        name: 'schema',
        status: 'fail',
        code: 'RETAKE_CASSETTE_CORRUPT',
        where: expect.stringMatching(/^line \d+, column \d+$/),
      },
    ],
  })
})

test('VCR of Ruby: binary and base64 bodies, times, headers of all kinds', () => {
  const text = `---
http_interactions:
- request:
    method: post
    uri: ${url}
    body:
      encoding: UTF-8
      string: '${asked()}'
    headers:
      Authorization: ["Bearer <KEY>"]
  response:
    status: {code: 200, message: OK}
    headers: {Content-Encoding: [gzip], Content-Type: application/json}
    body:
      encoding: ASCII-8BIT
      string: !binary |-
        ${gzipSync(reply()).toString('base64')}
    http_version: null
  recorded_at: Fri, 02 Jan 2026 10:00:00 GMT
recorded_with: VCR 6.4.0
`
  const { trace } = readVcr(text, 'chat.yml')
  expect(shown(trace)).toEqual(answered)
  expect([trace.id, trace.createdAt]).toEqual(['chat', Date.parse('2026-01-02T10:00:00Z')])
  expect(shown(read(ruby({}, { body: { base64_string: Buffer.from(reply()).toString('base64') } })).trace)).toEqual(
    answered,
  )
})

test('one exchange says the same in every layout', () => {
  const runs = [
    json(ruby({}, {})),
    `interactions:\n- request: {method: POST, uri: '${url}', body: '${asked()}', headers: {}}\n  response: {status: {code: 200}, headers: {}, body: {string: '${reply()}'}}\n`,
    `interactions:\n- request: {method: POST, uri: '${url}', parsed_body: ${asked()}, headers: {}}\n  response: {status: {code: 200}, headers: {}, parsed_body: ${reply()}}\n`,
    `interactions:\n- request: {method: POST, uri: '${url}', body: !!python/unicode '${asked()}', headers: {}}\n  response: {status_code: 200, headers: {}, content: '${reply()}'}\n`,
    `interactions:\n- request: {method: POST, uri: '${url}', body: !!binary ${Buffer.from(asked()).toString('base64')}, headers: {}}\n  response: {status: {code: 200}, headers: {a: &x [b], c: *x}, body: {string: !!binary ${Buffer.from(reply()).toString('base64')}}}\n`,
  ].map((text) => canonicalJson(readVcr(text, 'a.yaml').trace))
  expect(new Set(runs).size).toBe(1)
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a body in %s is decoded; one that is decoded already stays as it is', (coding, compress) => {
  const headers = { 'Content-Encoding': [coding] }
  const packed = { headers, body: { base64_string: compress(reply()).toString('base64') } }
  expect(shown(read(ruby({}, packed)).trace)).toEqual(answered)
  expect(shown(read(ruby({}, { headers, body: { string: reply() } })).trace)).toEqual(answered)
})

test('texts of YAML that look like something else stay what PyYAML meant', () => {
  const content = ['1e5', '08', '2026-01-01', '12:30', '0x1F', 'y', '<<', '=', '.inf']
  const text = `interactions:\n- request:\n    method: POST\n    uri: ${url}\n    parsed_body:\n      model: gpt-5\n      temperature: 1.0e-05\n      seed: 1_000\n      parallel_tool_calls: no\n      stop: ~\n      messages:\n${content.map((word) => `      - {role: user, content: ${word}}`).join('\n')}\n  response:\n    status: {code: 200}\n    parsed_body: ${reply()}\n`
  const [step] = readVcr(text).trace.steps
  expect(step?.payload).toMatchObject({
    messages: content.map((word) => ({ role: 'user', content: word })),
    params: { temperature: 0.00001, seed: 1000, parallelToolCalls: false },
  })
})

test('a host of which a filter took a part out is one', () => {
  const uri = 'https://<MY_GATEWAY>.example/v1/chat/completions'
  expect(shown(read(ruby({ uri }, {})).trace)).toEqual(answered)
})

test('an attempt that failed and its repetition are one call', () => {
  const limited = {
    status: { code: 429, message: 'Too Many Requests' },
    body: { string: '{"error":{"message":"slow down"}}' },
  }
  expect(shown(read(ruby({}, limited), ruby({}, {})).trace)).toEqual([
    ['model_input', undefined],
    ['metadata', 'rate_limit'],
    ['model_output', 'Hello'],
    ['metadata', 'Hello'],
  ])
})

test('requests for no model are steps of their own, or listed', () => {
  const plain = (uri: string, more: object = {}) => ({ method: 'get', uri, body: { string: '' }, ...more })
  const page = {
    body: { string: '{"late":true}' },
    headers: { 'Content-Type': ['application/json'], 'Set-Cookie': ['session=1'] },
  }
  const { trace, lost } = read(
    ruby(plain('https://shop.example/orders/77?a=1'), page),
    ruby(
      { uri: 'https://api.openai.com/v1/embeddings', body: { string: '{"model":"m","input":"a"}' } },
      { body: { string: '{"data":[]}' } },
    ),
    ruby({}, {}),
    ruby(plain('http://localhost:3000/health'), page),
    ruby(plain('https://api.openai.com/v1/files'), page),
    ruby(plain('https://shop.example/old'), { status: { code: 302 }, headers: { Location: ['/new'] } }),
    ruby(
      plain('https://shop.example/upload', {
        method: 'post',
        headers: { 'Content-Type': ['multipart/form-data; boundary=x'] },
      }),
      page,
    ),
  )
  expect(shown(trace)).toEqual([
    ['tool_call', 'http GET shop.example/orders/77'],
    ['tool_result', 'http GET shop.example/orders/77'],
    ['tool_call', 'openai embeddings'],
    ['tool_result', 'openai embeddings'],
    ['model_input', undefined],
    ['model_output', 'Hello'],
    ['metadata', 'Hello'],
  ])
  expect(trace.steps[1]?.payload).toMatchObject({
    result: { status: 200, contentType: 'application/json', body: { late: true } },
  })
  expect(JSON.stringify(trace)).not.toContain('session=1')
  expect(lost.map(({ where, what }) => `${where}: ${what}`)).toEqual([
    'interaction 4: requests to this machine are left alone in a replay',
    'interaction 5: openai files is not replayed',
    'interaction 6: a redirect is recorded anew, with where it leads',
    'interaction 7: a form is recorded anew',
  ])
})

test('what a replay could not give back is refused with the interaction', () => {
  const several = JSON.stringify({ ...JSON.parse(asked()), n: 2 })
  expect(() => read(ruby({}, {}), ruby({ body: { string: several } }, {}))).toThrow(
    expect.objectContaining({
      code: 'RETAKE_UNSUPPORTED',
      message: expect.stringMatching(/^interaction 2 of a\.json: /),
    }),
  )
  expect(() => read(ruby({}, { body: { string: '' } }))).toThrow('interaction 1 of a.json: the reply is empty')
  expect(() => read(ruby({ method: 'get', uri: 'http://localhost/' }, {}))).toThrow('no exchange that retake replays')
})

const bomb = () => {
  const levels = Array.from({ length: 12 }, (_, n) => `b${n + 1}: &b${n + 1} [${Array(10).fill(`*b${n}`).join(', ')}]`)
  return `b0: &b0 [lol]\n${levels.join('\n')}\ninteractions: *b12\n`
}
const wide = `x: &x ${'"'}${'x'.repeat(100_000)}${'"'}\ninteractions:\n- request: {method: POST, uri: '${url}', parsed_body: [${Array(700).fill('*x').join(',')}]}\n  response: {status: {code: 200}}\n`

test.each([
  ['text that is no YAML', 'interactions: [', 'it is no YAML (BAD_INDENT)'],
  ['a name twice', 'interactions: []\ninteractions: []', 'it is no YAML (DUPLICATE_KEY)'],
  ['two documents', 'interactions: []\n---\na: 1\n', 'it is no YAML (MULTIPLE_DOCS)'],
  ['nesting without end', `interactions: ${'['.repeat(20_000)}`, 'it is no YAML (RESOURCE_EXHAUSTION)'],
  ['an alias of nothing', 'interactions: *x', 'its aliases cannot be resolved'],
  ['aliases of aliases', bomb(), 'its aliases cannot be resolved'],
  ['a body that aliases make too large', wide, 'interaction 1: the body of request cannot be decoded'],
  [
    'a value inside itself',
    `interactions:\n- request: {method: POST, uri: '${url}', parsed_body: &a [*a]}\n  response: {status: {code: 200}}`,
    'interaction 1: the body of request cannot be decoded',
  ],
  ['merge conflicts', '<<<<<<< HEAD\ninteractions: []\n=======\n', 'it is no YAML'],
  ['no interactions', 'a: 1', 'it has neither http_interactions nor interactions'],
  ['an interaction that is text', 'interactions: [x]', 'interaction 1: the interaction is no mapping'],
  ['no URL', json(ruby({ uri: 'nowhere' }, {})), 'interaction 1: request.uri is no URL'],
  ['no method', json(ruby({ method: 1 }, {})), 'interaction 1: request.method is no text'],
  ['no status', json(ruby({}, { status: {} })), 'interaction 1: response.status has no code'],
  [
    'a body of another kind',
    json(ruby({}, { body: { string: 7 } })),
    'interaction 1: the body of response cannot be decoded',
  ],
  [
    'broken gzip',
    json(ruby({}, { headers: { 'content-encoding': ['gzip'] }, body: { base64_string: 'H4sIAAAAAAAA' } })),
    'interaction 1: the body of response cannot be decoded',
  ],
])('%s is refused, and no text of it is told', (_, text, reason) => {
  const attempt = () => readVcr(text, 'a.yaml')
  expect(attempt).toThrow(expect.objectContaining({ code: 'RETAKE_CASSETTE_CORRUPT' }))
  expect(attempt).toThrow(reason)
})

test('a gzip that is far larger than it looks is refused', () => {
  const body = { base64_string: gzipSync(Buffer.alloc(65 * 2 ** 20)).toString('base64') }
  expect(() => read(ruby({}, { headers: { 'content-encoding': ['gzip'] }, body }))).toThrow('cannot be decoded')
})

test('names of a prototype in headers and bodies are data', () => {
  const text = json(ruby({ headers: JSON.parse('{"__proto__":["x"]}') }, {})).replace(
    '"model\\":',
    '"__proto__\\":{\\"polluted\\":1},\\"model\\":',
  )
  expect(readVcr(text).trace.steps).toHaveLength(3)
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})
