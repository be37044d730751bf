import { spawnSync } from 'node:child_process'
import { formatTrace, TraceRecorder } from '@retake/trace'
import { expect, test } from 'vitest'
import { inCorpusFolder } from '../test/run-main.ts'

const { at, write } = inCorpusFolder()

const bin = `
  const { main } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)})
  process.exitCode = await main(process.argv.slice(2))`

/** The command line as a process of its own; what the bin does, on the sources. */
const start = (...argv: string[]) => {
  write('bin.mjs', bin)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin.mjs', ...argv], {
    cwd: at('.'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: 20_000,
  })
  return { code: status, out: stdout, err: stderr }
}

test('a conversion to standard output is the file to the byte, also where it is large', () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  const messages = Array.from({ length: 60 }, (_, nth) => ({ role: 'user', content: `${nth} `.repeat(2_000) }))
  for (let nth = 1; nth <= 60; nth++) {
    recorder.append('model_input', { messages: messages.slice(0, nth), tools: [] }, nth)
  }
  const text = formatTrace(recorder.toTrace())
  expect(text.length).toBeGreaterThan(5_000_000)
  write('long.json', formatTrace(recorder.toTrace(), { format: 'v3' }))
  const { code, out, err } = start('convert', 'long.json', '--to', 'v2')
  expect([code, err, out === text]).toEqual([0, '', true])
})

test('documents for programs stand alone on standard output, notices on the other', () => {
  const { code, out, err } = start('verify', '--json', 'fork-child.v2.json', 'gone.json')
  expect([code, JSON.parse(out).length]).toEqual([2, 2])
  expect(err).toBe('retake verify: gone.json: there is no such file\n')
})

test('yes, no and unknown are the exit codes', () => {
  expect(start('assert', 'fork-child.v2.json', '--expect-status', 'success').code).toBe(0)
  expect(start('assert', 'fork-child.v2.json', '--expect-tools', '').code).toBe(1)
  expect(start('diff', 'fork-parent.v2.json', 'fork-child.v2.json').code).toBe(1)
  expect(start('inspect', 'fork-child.v2.json', '--step', 'last')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^retake: --step takes the index of a step.*\n$/),
  })
})
