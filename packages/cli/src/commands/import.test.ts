import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCassette, verifyFile } from '@retake/trace'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runMain } from '../../test/run-main.ts'

const corpus = new URL('../../../../test/corpus/', import.meta.url).pathname
const chat = join(corpus, 'imports/chat-tool-use.foreign.json')
const session = join(corpus, 'imports/claude-code-session.jsonl')

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'retake-import-'))
})
afterEach(() => {
  rmSync(cwd, { recursive: true })
  vi.unstubAllEnvs()
})
const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
const write = (name: string, text: string) => writeFileSync(join(cwd, name), text)
const run = (...argv: string[]) => runMain(cwd, ['import', ...argv])
const importFrom = (from: string, file: string, ...more: string[]) =>
  run('--from', from, '--in', file, '--out', 'out.json', ...more)

test('chat-json is written byte for byte as the published converter writes it', async () => {
  const { code, out } = await importFrom('chat-json', chat, '--id', 'external-chat-tool-use')
  expect(code).toBe(0)
  expect(read('out.json')).toBe(readFileSync(join(corpus, 'blackbox/chat-tool-use.converted.v2.json'), 'utf8'))
  expect(out).toBe(`From    ${chat}\nOut     out.json\nSteps   11\nStatus  success\nTools   get_weather, send_email\n`)
})

test('a session of Claude Code becomes a run with its calls and results', async () => {
  expect(await importFrom('claude-code', session)).toMatchObject({ code: 0 })
  const { trace, format } = loadCassette(join(cwd, 'out.json'))
  expect(format).toBe('v3')
  expect(verifyFile(join(cwd, 'out.json')).pass).toBe(true)
  expect(trace).toMatchObject({ id: 'claude-code-session', createdAt: Date.parse('2026-09-29T09:00:00Z') })
  const description = 'Observed in Claude Code transcript; original definition unavailable.'
  const tools = ['Read', 'Bash'].map((name) => ({ name, description }))
  const question = {
    role: 'user',
    content: 'Why does checkout fail for EU customers? Check the tax config and the failing test.',
  }
  const calls = [
    { toolCallId: 'call-0', toolName: 'Read', toolInput: { file_path: 'config/tax.json' } },
    { toolCallId: 'call-1', toolName: 'Bash', toolInput: { command: 'npm test -- checkout' } },
  ]
  const text = "I'll read the tax config and run the failing test in parallel."
  const results = [
    { toolCallId: 'call-0', toolName: 'Read', result: { EU: { vatIncluded: false, rate: 0.2 } } },
    { toolCallId: 'call-1', toolName: 'Bash', error: 'FAIL checkout.test.ts: expected total 120, received 100' },
  ]
  const answer = expect.stringMatching(/^EU prices are stored VAT-inclusive.*Set EU.vatIncluded to true\.$/)
  const seconds = (timestamp: number) => (timestamp - trace.createdAt) / 1000
  expect(trace.steps.map(({ type, timestamp, payload }) => [type, seconds(timestamp), payload])).toEqual([
    ['model_input', 1, { messages: [question], tools, model: 'example-model' }],
    ['model_output', 4, { type: 'tool_calls', calls, text }],
    ['tool_call', 4, calls[0]],
    ['tool_result', 6, results[0]],
    ['tool_call', 4, calls[1]],
    ['tool_result', 9, results[1]],
    [
      'model_input',
      10,
      {
        messages: [
          question,
          {
            role: 'assistant',
            content: [{ type: 'text', text }, ...calls.map((call) => ({ type: 'tool_use', ...call }))],
          },
          { role: 'user', content: results.map((result) => ({ type: 'tool_result', ...result })) },
        ],
        tools,
        model: 'example-model',
      },
    ],
    ['model_output', 10, { type: 'final_answer', text: answer }],
    ['metadata', 10, { event: 'run_completed', status: 'success', result: answer }],
  ])
})

describe('a session of Claude Code', () => {
  const line = (type: string, message: object, more: object = {}) =>
    JSON.stringify({ type, timestamp: '2026-01-01T00:00:00.000Z', message: { role: type, ...message }, ...more })
  const asks = (text: string, more?: object) => line('user', { content: text }, more)
  const says = (id: string, ...content: object[]) => line('assistant', { id, content })
  const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} })
  const gives = (id: string, content: unknown) =>
    line('user', { content: [{ type: 'tool_result', tool_use_id: id, content }] })
  const text = (said: string) => ({ type: 'text', text: said })

  const imported = async (...lines: string[]) => {
    write('in.jsonl', lines.join('\n'))
    const outcome = await importFrom('claude-code', 'in.jsonl', '--force')
    return outcome.code === 0 ? loadCassette(join(cwd, 'out.json')).trace.steps : outcome.err
  }
  const shown = async (...lines: string[]) => {
    const steps = await imported(...lines)
    if (typeof steps === 'string') throw new TypeError(steps)
    return steps.map(({ type, payload }) => [
      type,
      (payload as { text?: string; result?: unknown }).text ?? (payload as { result?: unknown }).result,
    ])
  }

  test('that ends with a question has one request more, and no end', async () => {
    expect(await shown(asks('a'), says('1', text('b')), asks('c'))).toEqual([
      ['model_input', undefined],
      ['model_output', 'b'],
      ['model_input', undefined],
    ])
  })

  test('leaves side chains out, unless there is nothing else', async () => {
    const side = { isSidechain: true }
    expect(await shown(asks('a'), asks('side', side), says('1', text('b')))).toHaveLength(3)
    expect(await shown(asks('side', side))).toEqual([['model_input', undefined]])
  })

  test('joins the texts of a reply, and takes the parts of a result that are texts', async () => {
    const result = [text('one'), { type: 'image' }, text('two')]
    expect(
      await shown(
        asks('a'),
        says('1', text('x')),
        says('1', text('y'), call('t')),
        gives('t', result),
        says('2', text('z')),
      ),
    ).toEqual([
      ['model_input', undefined],
      ['model_output', 'x\n\ny'],
      ['tool_call', undefined],
      ['tool_result', 'one\n[image omitted]\ntwo'],
      ['model_input', undefined],
      ['model_output', 'z'],
      ['metadata', 'z'],
    ])
  })

  test('may lack results in its last turn only', async () => {
    expect(await shown(asks('a'), says('1', call('t')))).toHaveLength(2)
    expect(await imported(asks('a'), says('1', call('t')), says('2', text('b')))).toBe(
      `retake import: the transcript is broken: line 2: its call of Read has no result\n  ${join(cwd, 'in.jsonl')}:2\n  Nothing was written.\n`,
    )
  })

  test.each([
    ['a line that is no JSON', ['{'], 'line 1: it is no JSON object'],
    ['a line without a time', [JSON.stringify({ type: 'user', message: {} })], 'line 1: its timestamp is no time'],
    ['no message', [JSON.stringify({ type: 'summary' })], 'no line is of a user or of the assistant'],
    ['nothing but thinking', [says('1', { type: 'thinking', thinking: 'x' })], 'line 1: nothing is said from here on'],
    [
      'two results for a call',
      [asks('a'), says('1', call('t')), gives('t', 'x'), gives('t', 'y')],
      'line 4: it has a second result',
    ],
  ])('with %s is refused', async (_, lines, reason) => {
    expect(await imported(...lines)).toContain(reason)
    expect(existsSync(join(cwd, 'out.json'))).toBe(false)
  })
})

describe('bad chat transcripts', () => {
  const foreign = JSON.parse(readFileSync(chat, 'utf8'))
  const changed = (at: number, change: object) => ({
    ...foreign,
    messages: foreign.messages.map((message: object, index: number) =>
      index === at ? { ...message, ...change } : message,
    ),
  })
  const twoCalls = [...foreign.messages[1].tool_calls, ...foreign.messages[3].tool_calls]

  test.each([
    ['a timestamp that goes back', changed(2, { timestamp: 1 }), 'the timestamp is before that of the message before'],
    ['a timestamp that is a text', changed(2, { timestamp: '1' }), 'a timestamp is a whole number of milliseconds'],
    ['another role', changed(0, { role: 'system' }), 'a role is user, assistant or tool'],
    ['two calls in a turn', changed(1, { tool_calls: twoCalls }), 'a turn has exactly one tool call'],
    [
      'arguments that are no JSON',
      changed(1, { tool_calls: [{ id: 'a', function: { name: 'b', arguments: '{' } }] }),
      'the arguments of a call are no JSON',
    ],
    [
      'a result of another call',
      changed(2, { tool_call_id: 'other' }),
      'the next message is not the result of the call',
    ],
    ['no answer at the end', { ...foreign, messages: foreign.messages.slice(0, 5) }, 'the last message is no answer'],
    ['no messages', { tools: [] }, 'messages is no list'],
  ])('%s is refused with its line', async (_, value, reason) => {
    write('in.json', JSON.stringify(value, null, 1))
    const { code, err } = await importFrom('chat-json', 'in.json')
    expect(code).toBe(2)
    expect(err).toContain(reason)
    expect(err).toMatch(/in\.json:\d+:\d+\n {2}Nothing was written\.\n$/)
    expect(existsSync(join(cwd, 'out.json'))).toBe(false)
  })
})

describe('credentials', () => {
  test('of the environment are not written', async () => {
    vi.stubEnv('SHOP_API_KEY', 'Partly cloudy, 17')
    write('in.json', readFileSync(chat, 'utf8').replace('Partly cloudy', 'Partly cloudy, 17'))
    const { code, err } = await importFrom('chat-json', 'in.json')
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('the value of SHOP_API_KEY') })
    expect(err).toContain(`Replace it in ${join(cwd, 'in.json')}, and import again.`)
    expect(err).not.toContain('Partly')
    expect(existsSync(join(cwd, 'out.json'))).toBe(false)
  })

  test('that a request of the recording carries may not stand in its bodies', async () => {
    const recording = readFileSync(join(corpus, 'vcr/openai-gzip.yaml'), 'utf8')
    write(
      'in.yaml',
      recording
        .replace('headers: {}', 'headers: {authorization: [Bearer the-weather-key-77]}')
        .replace('weather in Paris', 'weather in the-weather-key-77'),
    )
    const { code, err } = await importFrom('vcr', 'in.yaml')
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('the value of the header authorization'),
    })
    expect(existsSync(join(cwd, 'out.json'))).toBe(false)
  })

  test('in headers alone are left behind', async () => {
    const recording = readFileSync(join(corpus, 'vcr/openai-gzip.yaml'), 'utf8')
    write('in.yaml', recording.replace('headers: {}', 'headers: {authorization: [Bearer the-weather-key-77]}'))
    expect(await importFrom('vcr', 'in.yaml')).toMatchObject({ code: 0 })
    expect(read('out.json')).not.toContain('the-weather-key-77')
  })
})

describe('a folder of recordings', () => {
  test('is imported file by file; one that cannot be does not keep the others back', async () => {
    mkdirSync(join(cwd, 'in/nested'), { recursive: true })
    cpSync(join(corpus, 'vcr/gemini.yaml'), join(cwd, 'in/gemini.yaml'))
    cpSync(join(corpus, 'vcr/anthropic-parsed.yaml'), join(cwd, 'in/nested/claude.yml'))
    write('in/broken.yaml', 'interactions: [')
    write('in/notes.txt', 'no recording')
    const { code, out, err } = await run('--from', 'vcr', '--in', 'in', '--out', 'cassettes')
    expect(code).toBe(1)
    expect(out).toBe(
      'wrote cassettes/gemini.cassette.json\nwrote cassettes/nested/claude.cassette.json\n2 of 3 file(s) imported\n',
    )
    expect(err).toContain('retake import: broken.yaml: the recording is broken: it is no YAML')
    expect(verifyFile(join(cwd, 'cassettes/nested/claude.cassette.json')).pass).toBe(true)
    expect(await run('--from', 'vcr', '--in', 'in', '--out', 'cassettes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--force replaces it'),
    })
  })

  test('that holds none is told', async () => {
    mkdirSync(join(cwd, 'in'))
    expect(await run('--from', 'vcr', '--in', 'in', '--out', 'x')).toMatchObject({
      code: 2,
      out: '0 of 0 file(s) imported\n',
    })
  })
})

test.each([
  [['--in', 'a', '--out', 'b'], 'import needs --from claude-code|chat-json|vcr'],
  [['--from', 'har', '--in', 'a', '--out', 'b'], '--from takes claude-code|chat-json|vcr, not "har"'],
  [['--from', 'vcr', '--out', 'b'], 'import needs --in with the name of a file'],
  [['--from', 'vcr', '--in', 'a'], 'import needs --out with the name of a file'],
  [['--from', 'vcr', '--in', 'a', '--out', 'a'], '--in and --out name the same file'],
  [['--from', 'vcr', '--in', 'a', '--out', 'b', 'c'], 'import takes --in and --out, and no other file'],
  [['--from', 'chat-json', '--in', '.', '--out', 'b'], '. is a folder; only --from vcr takes one'],
  [['--from', 'vcr', '--in', '.', '--out', 'b', '--id', 'x'], '--id is for one file'],
  [['--from', 'vcr', '--in', 'a', '--out', 'b', '--to', 'v1'], '--to takes v2 or v3, not "v1"'],
])('import %j is refused', async (argv, reason) => {
  const { code, err } = await run(...argv)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) })
})

test('a file that is not there, and one at the target, are told; --force replaces it', async () => {
  expect(await importFrom('chat-json', 'none.json')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no such file'),
  })
  write('out.json', 'kept')
  expect(await importFrom('chat-json', chat)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--force replaces it'),
  })
  expect(read('out.json')).toBe('kept')
  expect(await importFrom('chat-json', chat, '--force')).toMatchObject({ code: 0 })
})
