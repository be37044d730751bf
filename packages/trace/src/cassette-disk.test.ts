import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { corpus, corpusText } from '../test/corpus.ts'
import { loadTrace } from './cassette-disk.ts'
import { CassetteCorruptError, ConfigError, SecretFoundError } from './error.ts'
import { saveTrace } from './save-cassette.ts'
import { TraceRecorder } from './trace-recorder.ts'

const folder = mkdtempSync(join(tmpdir(), 'retake-trace-'))

test.each(corpus)('$name is saved as it was loaded', ({ name, path, text }) => {
  const copy = join(folder, 'new', 'folders', name)
  saveTrace(loadTrace(path), copy)
  expect(readFileSync(copy, 'utf8')).toBe(text)
})

test('saving leaves no other file behind', () => {
  const path = join(folder, 'alone', 'a.json')
  saveTrace(loadTrace(corpus[0]?.path as string), path)
  saveTrace(loadTrace(path), path)
  expect(readdirSync(join(folder, 'alone'))).toEqual(['a.json'])
})

test('a missing file, a folder and a pipe are refused at once', () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [join(folder, 'missing.json'), folder, pipe]) {
    expect(() => loadTrace(path)).toThrow(ConfigError)
    expect(() => loadTrace(path)).toThrow(path)
  }
})

test('a file over the size limit is refused unread', () => {
  const path = join(folder, 'large.json')
  writeFileSync(path, 'x'.repeat(1000))
  expect(() => loadTrace(path, { maxBytes: 999 })).toThrow(CassetteCorruptError)
})

test('invalid UTF-8 is refused with its position, a byte order mark too', () => {
  const path = join(folder, 'bytes.json')
  writeFileSync(path, Buffer.concat([Buffer.from('{\n "é": "'), Buffer.from([0xff]), Buffer.from('"}')]))
  expect(() => loadTrace(path)).toThrow(`a byte is no UTF-8\n  ${path}:2:8`)
  writeFileSync(path, `\ufeff${corpusText('success-final-answer.v2.json')}`)
  expect(() => loadTrace(path)).toThrow('the file starts with a byte order mark')
})

test('a trace with a credential is not written, and the message does not show it', () => {
  const key = `sk-proj-${'a1B2'.repeat(10)}`
  const recorder = new TraceRecorder({ id: 'r', createdAt: 0 })
  recorder.append('tool_result', { toolCallId: 'call-0', toolName: 't', result: { env: `KEY=${key}` } }, 1)
  const path = join(folder, 'secret.json')
  expect(() => saveTrace(recorder.toTrace(), path)).toThrow(SecretFoundError)
  try {
    saveTrace(recorder.toTrace(), path)
  } catch (error) {
    expect((error as Error).message).toContain('step 0 payload.result.env')
    expect((error as Error).message).not.toContain(key)
  }
  expect(existsSync(path)).toBe(false)
})
