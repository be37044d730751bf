import { execFileSync } from 'node:child_process'
import { mkdirSync, truncateSync } from 'node:fs'
import { formatTrace, type JsonObject, sha256, TraceRecorder } from '@retake/trace'
import { expect, test } from 'vitest'
import { inCorpusFolder } from '../test/run-main.ts'

const { at, read, write, run } = inCorpusFolder()
const good = 'success-final-answer.v2.json'

const verbs = {
  verify: ['verify', 'bad.json'],
  list: ['list', 'bad.json'],
  inspect: ['inspect', 'bad.json'],
  step: ['inspect', 'bad.json', '--step', '0'],
  first: ['diff', 'bad.json', good],
  second: ['diff', '--semantic', good, 'bad.json'],
  assert: ['assert', 'bad.json', '--expect-status', 'success'],
  convert: ['convert', 'bad.json', '--to', 'v3'],
  reseal: ['convert', '--reseal', 'bad.json'],
} as const

/** Every verb says in a few lines what is wrong, soon, without a stack and without what the file holds. */
const eachVerb = async (judge: (outcome: { code: number; out: string; err: string }, verb: string) => void) => {
  for (const [verb, argv] of Object.entries(verbs)) {
    const start = performance.now()
    const outcome = await run(...argv)
    expect(performance.now() - start).toBeLessThan(2_000)
    const said = outcome.out + outcome.err
    expect(said).not.toMatch(/fault of retake|leak|\n {4}at /)
    expect(said.split('\n').length).toBeLessThan(15)
    judge(outcome, verb)
  }
}

const sample = (): string => read(good).replace('"id"', '"note": "leak",\n  "id"')
const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`

/** A v3 file in which every request holds the one before it twice. */
const doubling = (steps: number): string => {
  const first = { type: 'model_input', payload: { messages: [{ role: 'user', content: 'leak' }] } }
  const next = (index: number) => {
    const keep = { $keep: [0, 2 ** (index - 1)] }
    return { type: 'model_input', since: index - 1, payload: { messages: [keep, keep] } }
  }
  const all = Array.from({ length: steps }, (_, index): JsonObject => (index === 0 ? first : next(index)))
  const summed = all.map((step) => ({ ...step, sum: sha256(JSON.stringify(step)).slice(0, 16) }))
  const file = { version: 3, id: 'leak', createdAt: 0, steps: summed, at: all.map(() => 0) }
  return JSON.stringify({ ...file, seal: sha256(JSON.stringify(file)) })
}

test.each<[string, () => string | Uint8Array]>([
  ['no JSON', () => 'leak'],
  ['nothing', () => ''],
  ['cut off', () => sample().slice(0, 700)],
  ['a key that stands twice', () => sample().replace('"id"', '"id": "leak", "id"')],
  ['a byte order mark', () => `\ufeff${sample()}`],
  [
    'conflict markers',
    () => sample().replace('"createdAt"', '<<<<<<< HEAD\n  "leak": 1,\n=======\n>>>>>>> b\n"createdAt"'),
  ],
  ['10,000 arrays inside each other', () => sample().replace('"note": "leak"', `"note": ${deep}`)],
  ['a number that is none', () => sample().replace('"note": "leak"', '"note": NaN')],
  ['a number beyond all', () => sample().replace('"note": "leak"', '"note": 1e400')],
  [
    'half of a character',
    () => Buffer.from([...Buffer.from('{"note":"leak '), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
  ],
  ['a list', () => '["leak"]'],
  ['no version', () => '{"id":"leak"}'],
  ['version 1', () => '{"version":1,"id":"leak","createdAt":0,"steps":[]}'],
  ['a later version', () => '{"version":4,"id":"leak"}'],
  ['no steps', () => '{"version":2,"id":"leak","createdAt":0}'],
  ['steps that are none', () => '{"version":2,"id":"leak","createdAt":0,"steps":[null]}'],
])('%s is told in a line', async (what, make) => {
  write('bad.json', make())
  await eachVerb(({ code, out, err }, verb) => {
    const inReport = verb === 'verify' || verb === 'list'
    expect([verb, code]).toEqual([verb, inReport ? 1 : 2])
    if (inReport) expect(out).toMatch(/✗ (?:schema_version|hash_chain)|schema_version: |hash_chain: /)
    else {
      expect([out, err.startsWith('retake: ')]).toEqual(['', true])
      if (!/version \d/.test(err))
        expect(err).toMatch(what === 'conflict markers' ? /bad\.json:\d+[ \n]/ : /bad\.json:\d+:\d+\n/)
    }
  })
})

test.each<[string, () => void]>([
  ['a folder', () => mkdirSync(at('bad.json'))],
  ['a pipe', () => execFileSync('mkfifo', [at('bad.json')])],
  ['missing', () => undefined],
])('a file that is %s cannot be judged', async (_, make) => {
  make()
  await eachVerb(({ code, err, out }, verb) => {
    expect([verb, code]).toEqual([verb, 2])
    if (verb !== 'list') expect(err).toMatch(/^retake( verify)?: /)
    if (verb !== 'list' && verb !== 'verify') expect(out).toBe('')
  })
})

test('a file of 100 MB is not read', async () => {
  write('bad.json', read(good))
  truncateSync(at('bad.json'), 100_000_000)
  await eachVerb(({ code, out, err }, verb) => {
    expect(out + err).toContain('larger than 67108864 bytes')
    expect(code).toBe(verb === 'verify' || verb === 'list' ? 1 : 2)
  })
})

test('a file that expands without end is given up', async () => {
  write('bad.json', doubling(60))
  for (const verb of ['verify', 'inspect'] as const) {
    const start = performance.now()
    const { code, out, err } = await run(...verbs[verb])
    expect(out + err).toContain('the trace expands beyond')
    expect([code, out.includes('leak')]).toEqual([verb === 'verify' ? 1 : 2, false])
    expect(performance.now() - start).toBeLessThan(10_000)
  }
})

test('a file that ends at any byte is told with its place', async () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  recorder.append('model_input', { messages: [{ role: 'user', content: 'hé' }], tools: [] }, 1)
  for (const text of [formatTrace(recorder.toTrace()), formatTrace(recorder.toTrace(), { format: 'v3' })]) {
    const bytes = Buffer.from(text.trimEnd())
    for (let length = 0; length < bytes.length; length++) {
      write('bad.json', bytes.subarray(0, length))
      const { code, out, err } = await run('inspect', 'bad.json')
      expect([length, code, out]).toEqual([length, 2, ''])
      expect(err).toMatch(/^retake: the cassette is broken: .*\n {2}.*bad\.json:\d+:\d+\n$/)
    }
  }
})

test('keys and texts that programs trip over are data', async () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  const toolInput = JSON.parse('{"__proto__":{"polluted":1},"constructor":1,"lone":"\\ud800","tiny":5e-324}')
  const call = { toolCallId: 'call-0', toolName: '__proto__', toolInput, origin: 'agent' }
  recorder.append('tool_call', call, 1)
  recorder.append('tool_result', { toolCallId: 'call-0', toolName: '__proto__', result: '\ud800' }, 1)
  write('odd.json', formatTrace(recorder.toTrace()))
  expect((await run('verify', 'odd.json')).code).toBe(0)
  expect((await run('inspect', 'odd.json')).out).toContain('"__proto__":{"polluted":1}')
  expect((await run('diff', '--semantic', 'odd.json', good)).code).toBe(1)
  expect((await run('assert', 'odd.json', '--expect-tools', '__proto__')).code).toBe(0)
  write('odd.v3.json', (await run('convert', '--to', 'v3', 'odd.json')).out)
  expect((await run('diff', 'odd.json', 'odd.v3.json')).code).toBe(0)
  expect(JSON.parse((await run('inspect', 'odd.v3.json', '--step', '0', '--json')).out).payload).toEqual(call)
  expect({}).not.toHaveProperty('polluted')
})

test('payloads of no known shape are not compared', async () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  recorder.append('model_output', { type: 'tool_calls', calls: ['leak'] }, 1)
  write('bad.json', formatTrace(recorder.toTrace()))
  for (const argv of [verbs.first, verbs.second]) {
    const { code, out, err } = await run(...argv)
    expect([code, out]).toEqual([2, ''])
    expect(err).toBe(
      'retake: bad.json: step 0 payload.calls[0]: the model_output payload has none of the specified shapes\n',
    )
  }
})
