import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { formatTrace, loadCassette, parseCassette, TraceRecorder, verifyFile } from '@retake/trace'
import { expect, test } from 'vitest'
import { inCorpusFolder } from '../../test/run-main.ts'

const { at, read, write, edit, run } = inCorpusFolder()

const v3 = (options = {}): string => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  recorder.append('model_input', { messages: [{ role: 'user', content: 'hi' }], tools: [] }, 1)
  recorder.append('model_output', { type: 'final_answer', text: 'hello' }, 2)
  return formatTrace(recorder.toTrace(), { format: 'v3', ...options })
}

test('every public cassette comes back from version 3 to the byte', async () => {
  for (const name of readdirSync(at('.'))) {
    const there = await run('convert', '--to', 'v3', name)
    expect([there.code, there.err]).toEqual([0, ''])
    expect(there.out).toBe(formatTrace(loadCassette(at(name)).trace, { format: 'v3' }))
    write('there.cassette.json', there.out)
    expect(await run('convert', 'there.cassette.json', '--to=v2')).toEqual({ code: 0, out: read(name), err: '' })
  }
})

test('--out writes a file, makes its folder, and says what it wrote', async () => {
  const { code, out, err } = await run('convert', 'fork-child.v2.json', '--to', 'v3', '--out', 'new/a.cassette.json')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^wrote new\/a\.cassette\.json: version 3, \d\.\d kB\n$/)
  expect(verifyFile(at('new/a.cassette.json'))).toMatchObject({ version: 3, pass: true })
})

test('a cassette may be replaced by its other form', async () => {
  const before = read('fork-child.v2.json')
  expect((await run('convert', '--to', 'v3', 'fork-child.v2.json', '--out', 'fork-child.v2.json')).code).toBe(0)
  expect(read('fork-child.v2.json')).toContain('"version": 3')
  expect((await run('convert', '--to', 'v2', 'fork-child.v2.json', '--out', 'fork-child.v2.json')).code).toBe(0)
  expect(read('fork-child.v2.json')).toBe(before)
})

test('the form that it has is only laid out anew', async () => {
  const before = read('fork-child.v2.json')
  write('compact.json', JSON.stringify(JSON.parse(before)))
  expect((await run('convert', '--to', 'v2', 'compact.json')).out).toBe(before)
  write('compact.json', JSON.stringify(JSON.parse(v3())))
  expect((await run('convert', '--to', 'v3', 'compact.json')).out).toBe(v3())
})

test('what version 2 has no place for is left out with a notice', async () => {
  const test = { file: 'a.test.ts', name: 'a' }
  const extras = [{ step: 1, tokens: { input: 3 } }]
  write('a.json', v3({ test, extras }))
  const { code, out, err } = await run('convert', '--to', 'v2', 'a.json')
  expect(err).toBe('retake convert: a.json: version 2 has no place for test and extras; left out\n')
  expect([code, out]).toEqual([0, formatTrace(parseCassette(v3()).trace)])
  write('a.json', v3({ extras }))
  expect((await run('convert', '--to', 'v2', 'a.json')).err).toContain('no place for extras;')
  expect(await run('convert', '--to', 'v3', 'a.json')).toEqual({ code: 0, out: v3({ extras }), err: '' })
})

test.each([
  ['v2', 'v3', /it does not verify \(hash_chain at step 3\)/],
  ['v2', 'v2', /it does not verify \(hash_chain at step 3\)/],
])('a %s cassette with a broken chain is not converted to %s', async (_, to, message) => {
  edit('fork-child.v2.json', 'No hotels available for that date.', 'Five hotels are free.')
  const before = read('fork-child.v2.json')
  const { code, out, err } = await run('convert', '--to', to, 'fork-child.v2.json', '--out', 'fork-child.v2.json')
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(message)
  expect(err).not.toContain('hotels')
  expect(read('fork-child.v2.json')).toBe(before)
})

test('a version 3 cassette with a wrong seal is not converted', async () => {
  write('a.json', v3().replace('hello', 'hullo'))
  expect(await run('convert', '--to', 'v2', 'a.json')).toEqual({
    code: 1,
    out: '',
    err: 'retake convert: a.json: it does not verify (seal at step 1): step 1 was edited: it does not match its sum\n',
  })
})

test('a cassette that fails for what its run did is converted all the same', async () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  recorder.append('metadata', { event: 'run_completed', status: 'success', result: '' }, 1)
  recorder.append('metadata', { event: 'note' }, 2)
  write('a.json', formatTrace(recorder.toTrace()))
  expect(verifyFile(at('a.json')).pass).toBe(false)
  expect((await run('convert', '--to', 'v3', 'a.json')).code).toBe(0)
})

test.each([
  ['"version": 2,', '"version": 2, "note": "leak",', 'the header has a member that the format does not know'],
  ['"index": 1,', '"index": 1, "note": "leak",', 'step 1 has a member that the format does not know'],
])('an unknown member is refused: %s', async (from, to, message) => {
  edit('fork-child.v2.json', from, to)
  for (const format of ['v2', 'v3']) {
    const { code, out, err } = await run('convert', '--to', format, 'fork-child.v2.json', '--out', 'b.json')
    expect([code, out, existsSync(at('b.json'))]).toEqual([1, '', false])
    expect(err).toContain(message)
    expect(err).not.toContain('leak')
  }
})

test('a time that version 3 cannot hold keeps a cassette in version 2', async () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  recorder.append('metadata', { event: 'note' }, 0.5)
  write('a.json', formatTrace(recorder.toTrace()))
  const { code, err } = await run('convert', '--to', 'v3', 'a.json')
  expect(code).toBe(1)
  expect(err).toContain('the time of step 0 is no whole number of milliseconds after createdAt. Keep it as v2.')
})

test.each([
  ['sk-ant', `sk-ant-${'a1B2'.repeat(10)}`],
  ['github token', `ghp_${'a1B2c3D4e'.repeat(4)}`],
])('a key is not written a second time: %s', async (kind, secret) => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  recorder.append('model_input', { messages: [{ role: 'user', content: secret }], tools: [] }, 1)
  write('a.json', formatTrace(recorder.toTrace()))
  for (const out of [[], ['--out', 'b.json']]) {
    const result = await run('convert', '--to', 'v3', 'a.json', ...out)
    expect([result.code, result.out, existsSync(at('b.json'))]).toEqual([1, '', false])
    expect(result.err).toContain(kind)
    expect(result.err).not.toContain(secret)
  }
})

test.each([
  [[], 'convert needs a cassette: retake convert <file>'],
  [['a', 'b', '--to', 'v3'], 'convert takes one cassette, not 2'],
  [['a'], 'convert needs --to or --reseal'],
  [['a', '--to', 'v1'], '--to takes v2, v3, retake, stepfork, backspin, agentskit, not "v1"'],
  [['a', '--to', '3'], '--to takes v2, v3, retake, stepfork, backspin, agentskit, not "3"'],
  [['a', '--to'], '--to needs a value'],
  [['a', '--to', '--json'], '--to needs a value; one that starts with a dash is written --to=--json'],
  [['a', '--to', 'v2', '--to', 'v3'], '--to is given twice'],
  [['a', '--to', 'v2', '--out='], '--out needs the name of a file'],
  [['a', '--json', '--to', 'v2'], 'convert has no flag --json'],
  [['a', '--reseal', '--to', 'v2'], '--reseal works in place; it goes with no other flag'],
])('convert %j is a usage error', async (argv, message) => {
  expect(await run('convert', ...argv)).toEqual({
    code: 2,
    out: '',
    err: `retake: ${message} (see retake convert --help)\n`,
  })
})

test('a place where nothing can be written is told', async () => {
  mkdirSync(at('folder'))
  const { code, err } = await run('convert', 'fork-child.v2.json', '--to', 'v3', '--out', 'folder')
  expect(code).toBe(2)
  expect(err).toMatch(/^retake: the cassette cannot be written: /)
})

test('a merge of other steps is sealed again', async () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  for (const text of ['one', 'two', 'three']) recorder.append('metadata', { event: 'note', text }, 0)
  const base = formatTrace(recorder.toTrace(), { format: 'v3' })
  const others = (text: string): string => {
    const { trace } = parseCassette(base)
    const again = new TraceRecorder(trace)
    for (const { type, payload, timestamp } of trace.steps) {
      const edited = JSON.parse(JSON.stringify(payload).replace(text, text.toUpperCase()))
      again.append(type, edited, timestamp)
    }
    return formatTrace(again.toTrace(), { format: 'v3' })
  }
  const lines = (text: string): string[] => text.split('\n')
  const [ours, theirs, both] = [lines(others('one')), lines(others('three')), lines(base)]
  for (const [at, line] of both.entries()) both[at] = ours[at] === line ? (theirs[at] ?? '') : (ours[at] ?? '')
  write('a.json', both.join('\n'))
  expect((await run('verify', 'a.json')).out).toMatch(/✗ seal/)
  expect(await run('convert', '--reseal', 'a.json')).toEqual({ code: 0, out: 'a.json: sealed again\n', err: '' })
  expect(verifyFile(at('a.json')).pass).toBe(true)
  const texts = loadCassette(at('a.json')).trace.steps.map(({ payload }) => (payload as { text: string }).text)
  expect(texts).toEqual(['ONE', 'two', 'THREE'])
  const { mtimeMs } = statSync(at('a.json'))
  expect(await run('convert', 'a.json', '--reseal')).toMatchObject({ code: 0, out: 'a.json: the seal fits already\n' })
  expect(statSync(at('a.json')).mtimeMs).toBe(mtimeMs)
})

test('conflict markers around the seal are for the user to resolve', async () => {
  const conflict = v3().replace(/ {2}"seal".*\n/, (line) => `<<<<<<< HEAD\n${line}=======\n${line}>>>>>>> b\n`)
  write('a.json', conflict)
  const { code, err } = await run('convert', '--reseal', 'a.json')
  expect(code).toBe(2)
  expect(err).toMatch(/^retake: a\.json:\d+ has conflict markers: .*, keep either and run this again\n$/)
  expect(read('a.json')).toBe(conflict)
  write('a.json', conflict.replace(/<{7}.*\n/, '').replace(/={7}\n.*\n>{7}.*\n/, ''))
  expect((await run('convert', '--reseal', 'a.json')).code).toBe(0)
})

test('a step that was edited is not sealed over, and version 2 has no seal', async () => {
  const edited = v3().replace('hello', 'hullo')
  write('a.json', edited)
  expect(await run('convert', '--reseal', 'a.json')).toEqual({
    code: 1,
    out: '',
    err: 'retake convert: a.json: it does not verify (seal at step 1): step 1 was edited: it does not match its sum\n',
  })
  expect(read('a.json')).toBe(edited)
  expect(await run('convert', '--reseal', 'fork-child.v2.json')).toMatchObject({
    code: 2,
    err: 'retake: fork-child.v2.json is of version 2, which has no seal (see retake convert --help)\n',
  })
})
