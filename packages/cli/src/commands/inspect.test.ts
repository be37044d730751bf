import { formatTrace, loadTrace, stepHash, TraceRecorder } from '@retake/trace'
import { expect, test } from 'vitest'
import { inCorpusFolder } from '../../test/run-main.ts'

const { at, write, edit, run, runAt } = inCorpusFolder()
const child = 'fork-child.v2.json'

test('a cassette is shown with its origin, its outcome and a line a step', async () => {
  const { code, out } = await runAt(80, 'inspect', child)
  expect(code).toBe(0)
  expect(out.split('\n')).toEqual([
    'fork-child.v2.json  version 2, 7 steps',
    '  id        fixture-fork-parent-fork',
    '  created   1970-01-01T00:00:00.000Z',
    '  forked    from fixture-fork-parent at fixture-fork-parent:4',
    '  tools     search',
    expect.stringMatching(/^ {2}outcome {3}success: No hotels available for Alice this weekend\. .*…$/),
    '  verified  yes, 6 checks',
    '',
    '  0  model_input   0e91489d  1 message, 3 tools',
    '  1  model_output  5d32b8fc  → search {"query":"weekend hotels"}',
    '  2  tool_call     991abf4e  → search {"query":"weekend hotels"}',
    expect.stringMatching(/^ {2}3 {2}tool_result {3}bbf0f149 {2}\{"results":\[\],"available":false,.*…$/),
    '  4  model_input   d7eea354  3 messages, 3 tools',
    expect.stringMatching(/^ {2}5 {2}model_output {2}2bac0da3 {2}No hotels/),
    '  6  metadata      dc359be4  run_completed',
    '',
  ])
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('what version 3 keeps beside the run is shown with it', async () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  recorder.append('model_input', { messages: [], tools: [], model: 'gpt-5' }, 1)
  recorder.append('model_output', { type: 'final_answer', text: 'one\ntwo', stop: 'length' }, 2)
  recorder.append('metadata', { event: 'run_failed', status: 'error', reason: 'agent_error', message: 'boom' }, 3)
  const test = { file: 'a.test.ts', name: 'one > two' }
  write(
    'a.json',
    formatTrace(recorder.toTrace(), { format: 'v3', test, extras: [{ step: 1, tokens: { input: 3, output: 4 } }] }),
  )
  const { out } = await run('inspect', 'a.json')
  expect(out).toContain('a.json  version 3, 3 steps\n')
  expect(out).toContain('  test      a.test.ts > one > two\n')
  expect(out).toContain('  model     gpt-5\n  tokens    3 in, 4 out\n  outcome   error: agent_error: boom\n')
  expect(out).toMatch(/ {2}1 {2}model_output {2}[0-9a-f]{8} {2}one two {2}\(length\)\n/)
  const step = await run('inspect', 'a.json', '--step', '1')
  expect(step.out).toContain('  beside  {"tokens":{"input":3,"output":4}}\n')
  expect(JSON.parse((await run('inspect', 'a.json', '--step', '1', '--json')).out)).toMatchObject({
    index: 1,
    extras: { tokens: { input: 3, output: 4 } },
  })
})

test('--step shows one step with its whole payload', async () => {
  const { code, out } = await run('inspect', child, '--step', '3')
  const step = loadTrace(at(child)).steps[3]
  const [head, payload] = out.split('\n\n')
  expect(code).toBe(0)
  expect(head?.split('\n')).toEqual([
    'step 3  tool_result search',
    '  about   {"results":[],"available":false,"message":"No hotels available for that date."}',
    '  id      fixture-fork-parent-fork:3',
    '  time    1970-01-01T00:00:00.000Z',
    `  hash    ${step && stepHash(step)}`,
    `  after   ${step?.prevHash}`,
  ])
  expect(JSON.parse(payload ?? '')).toEqual(step?.payload)
  expect((await run('inspect', child, '--step=0')).out).toContain('  after   nothing: it is the first\n')
})

test('--json is the same for programs', async () => {
  const all = JSON.parse((await run('inspect', child, '--json')).out)
  expect(all).toMatchObject({
    file: child,
    version: 2,
    id: 'fixture-fork-parent-fork',
    createdAt: 0,
    parentId: 'fixture-fork-parent',
    forkedFromStepId: 'fixture-fork-parent:4',
    status: 'success',
    tools: ['search'],
    verify: { pass: true },
  })
  expect(all.steps).toHaveLength(7)
  expect(all.steps[1]).toEqual({
    index: 1,
    type: 'model_output',
    timestamp: 0,
    hash: '5d32b8fc'.padEnd(64, all.steps[1].hash.slice(8)),
    summary: '→ search {"query":"weekend hotels"}',
  })
  expect(JSON.parse((await run('inspect', child, '--json', '--step', '6')).out)).toEqual(loadTrace(at(child)).steps[6])
})

test('one that does not verify is shown, and says so', async () => {
  edit(child, 'No hotels available for that date.', 'Five hotels are free.')
  const { code, out } = await run('inspect', child)
  expect(code).toBe(1)
  expect(out).toMatch(/ {2}verified {2}no: hash_chain at step 3, /)
  expect(out).toContain('Five hotels are free.')
  expect((await run('inspect', child, '--step', '3')).code).toBe(1)
})

test('payloads of no known shape are shown as they are', async () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  const payloads = [
    null,
    7,
    'text',
    [],
    {},
    { type: 'tool_calls' },
    { type: 'tool_calls', calls: [null] },
    { messages: 1 },
  ]
  const types = ['model_input', 'model_output', 'tool_call', 'tool_result', 'metadata'] as const
  for (const type of types) for (const payload of payloads) recorder.append(type, payload, 0)
  write('a.json', formatTrace(recorder.toTrace()))
  const { code, out, err } = await run('inspect', 'a.json')
  expect([code, err]).toEqual([1, ''])
  expect(out).toContain('verified  no: payload_shape at step 0 payload')
  expect(out.match(/^ +\d+ {2}/gm)).toHaveLength(40)
  for (const index of [0, 13, 14, 39]) {
    expect((await run('inspect', 'a.json', '--step', String(index))).err).toBe('')
  }
  expect(JSON.parse((await run('inspect', 'a.json', '--json')).out).tools).toEqual([])
})

test('what a terminal would act on is escaped, and the payload stays the same value', async () => {
  const recorder = new TraceRecorder({ id: 'r\u001b[2J', createdAt: 9e15 })
  recorder.append('metadata', { event: 'note', text: '\u001b[2J\u009b1m\u202e' }, 0)
  write('a.json', formatTrace(recorder.toTrace()))
  for (const argv of [[], ['--json'], ['--step', '0'], ['--step', '0', '--json']]) {
    const { out } = await run('inspect', 'a.json', ...argv)
    for (const character of ['\u001b', '\u009b', '\u202e']) expect(out).not.toContain(character)
  }
  const { out } = await run('inspect', 'a.json', '--step', '0')
  expect(JSON.parse(out.split('\n\n')[1] ?? '').text).toBe('\u001b[2J\u009b1m\u202e')
})

test.each(['7', '-1', '01', '1.0', 'x', ''])('--step=%s is a usage error', async (step) => {
  expect(await run('inspect', child, `--step=${step}`)).toEqual({
    code: 2,
    out: '',
    err: `retake: --step takes the index of a step, not "${step}"; the cassette has 0 to 6 (see retake inspect --help)\n`,
  })
})

test('a cassette without steps has none to show', async () => {
  write('a.json', formatTrace({ version: 2, id: 'run', createdAt: 0, steps: [] }))
  expect(await run('inspect', 'a.json')).toMatchObject({
    code: 0,
    out: expect.stringContaining('version 2, 0 steps\n'),
  })
  expect((await run('inspect', 'a.json', '--step', '0')).err).toContain('the cassette has none')
})
