import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sealed } from '../../test/seal.ts'
import { v3Sample } from '../../test/v3-sample.ts'
import { formatTrace } from '../format-cassette.ts'
import { TraceRecorder } from '../trace-recorder.ts'
import { verifyFile } from './verify-file.ts'

const path = join(mkdtempSync(join(tmpdir(), 'retake-verify-v3-')), 'a.cassette.json')

function verify(text: string) {
  writeFileSync(path, text)
  return verifyFile(path)
}

const failing = (text: string) => {
  const { checks } = verify(text)
  const { name, code, where, detail } = checks.find(({ status }) => status === 'fail') ?? {}
  return [name, code, where, detail]
}

const edited = (change: (file: { more?: number; steps: object[] }) => void): string => {
  const file = JSON.parse(v3Sample)
  change(file)
  return JSON.stringify(sealed(file))
}

test('a v3 file passes the seal first and then the checks of its trace', () => {
  expect(verify(v3Sample)).toEqual({
    file: path,
    format: 'retake',
    version: 3,
    pass: true,
    checks: [
      { name: 'seal', status: 'pass', detail: 'the seal matches' },
      { name: 'schema_version', status: 'pass', detail: 'version 3' },
      { name: 'hash_chain', status: 'pass', detail: '5 step(s), chain derived' },
      { name: 'provider_neutrality', status: 'pass', detail: 'no forbidden markers' },
      { name: 'replayability', status: 'pass', detail: 'status=incomplete' },
      { name: 'payload_shape', status: 'pass', detail: '5 payload(s) as specified' },
      { name: 'pairing', status: 'pass', detail: '1 of 1 call(s) with a result' },
    ],
  })
})

test('a hand edit fails the seal and names the step, without a value', () => {
  expect(failing(v3Sample.replace('late, 20 €', 'late, 30 €'))).toEqual([
    'seal',
    'seal_mismatch',
    'step 3',
    'step 3 was edited: it does not match its sum',
  ])
  expect(failing(v3Sample.replace('"run_7f3a"', '"run_7f3b"')).slice(0, 3)).toEqual(['seal', 'seal_mismatch', 'seal'])
})

test('an edit that was sealed again is judged by what it says', () => {
  expect(
    failing(
      edited((file) => {
        file.more = 1
      }),
    ).slice(0, 2),
  ).toEqual(['schema_version', 'RETAKE_CASSETTE_CORRUPT'])
  expect(failing(edited(({ steps }) => Object.assign(steps[4] ?? {}, { since: 3 }))).slice(0, 3)).toEqual([
    'schema_version',
    'RETAKE_CASSETTE_CORRUPT',
    'step 4 since',
  ])
  expect(failing(edited(({ steps }) => Object.assign(steps[3] ?? {}, { payload: { result: 1 } }))).slice(0, 3)).toEqual(
    ['schema_version', 'RETAKE_CASSETTE_CORRUPT', 'step 4 payload'],
  )
  expect(
    failing(edited(({ steps }) => Object.assign(steps[1] ?? {}, { payload: { type: 'other', calls: [] } }))).slice(
      0,
      3,
    ),
  ).toEqual(['schema_version', 'RETAKE_CASSETTE_CORRUPT', 'step 2 payload'])
})

const secret = `sk-proj-${'a1B2'.repeat(10)}`

test('secrets are searched in the expanded trace, in test and in extras', () => {
  const recorder = new TraceRecorder({ id: 'r', createdAt: 0 })
  recorder.append('model_input', { messages: [], tools: [] }, 0)
  recorder.append('model_output', { type: 'final_answer', text: 'x' }, 0)
  const trace = recorder.toTrace()
  const inTest = formatTrace(trace, { format: 'v3', test: { file: 'a', name: secret } })
  expect(failing(inTest)).toEqual(['provider_neutrality', 'marker', 'test.name', 'markers: sk-proj'])
  const inExtras = formatTrace(trace, {
    format: 'v3',
    extras: [{ step: 1, opaque: [{ part: 0, kind: 'k', value: secret }] }],
  })
  expect(failing(inExtras)).toEqual(['provider_neutrality', 'marker', 'extras[0].opaque[0].value', 'markers: sk-proj'])
  recorder.append(
    'tool_call',
    { toolCallId: 'call-0', toolName: 't', toolInput: `a\n${secret}\nb`, origin: 'agent' },
    0,
  )
  expect(failing(formatTrace(recorder.toTrace(), { format: 'v3' })).slice(0, 3)).toEqual([
    'provider_neutrality',
    'marker',
    'step 2 payload.toolInput',
  ])
})
