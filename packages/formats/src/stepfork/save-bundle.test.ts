import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundleNames, bundlePath, bundlesFolder, copyBundle, newFolder, snapshot } from '../../test/corpus-bundles.ts'
import { parseTokens } from '../json/parse-tokens.ts'
import { toPlain } from '../json/plain-json.ts'
import type { TokenObject } from '../json/tokens.ts'
import { loadStepfork } from './load-bundle.ts'
import { redactPayload } from './redact.ts'
import { saveStepfork } from './save-bundle.ts'
import { validateStepfork } from './validate-bundle.ts'
import { toStepforkFiles } from './write-bundle.ts'

test.each(bundleNames)('%s: load and save give the same bytes and digests', (name) => {
  const path = join(newFolder(), name)
  saveStepfork(loadStepfork(join(bundlesFolder, name)), path)
  const { 'integrity.json': record, ...files } = snapshot(path)
  const { 'integrity.json': before, ...original } = snapshot(join(bundlesFolder, name))
  expect(files).toEqual(original)
  if (before) expect(record).toBe(before)
  expect(validateStepfork(path, { strict: false })).toMatchObject({ state: 'verified', structure: [], hashes: [] })
})

const bundleOf = (...events: string[]) => {
  const bundle = loadStepfork(bundlePath('successful_run'))
  const run = bundle.manifest.get('run_id')
  bundle.events = events.map((text, step) => {
    const given = parseTokens(text) as TokenObject
    const head = { id: `e${step}`, run_id: run, step, timestamp: '2026-01-01T00:00:00Z' }
    return new Map([...(parseTokens(JSON.stringify(head)) as TokenObject), ...given])
  })
  return bundle
}
const linesOf = (files: Map<string, string>) => (files.get('events.jsonl') ?? '').trimEnd().split('\n')
const entriesOf = (files: Map<string, string>) => JSON.parse(files.get('redactions.json') ?? '').entries

describe('redaction comes before the hash', () => {
  test('members and credentials are replaced, their places told, and the hash is that of what is left', () => {
    const files = toStepforkFiles(
      bundleOf(
        '{"type":"tool_call","name":"t","input":{"apiKey":"k","a/b~c":{"Client-Secret":1},"note":"use sk-abcdefgh1 now"}}',
      ),
    )
    const [line = ''] = linesOf(files)
    const event = JSON.parse(line)
    expect(event.input).toEqual({
      'a/b~c': { 'Client-Secret': '[REDACTED]' },
      apiKey: '[REDACTED]',
      note: 'use [REDACTED] now',
    })
    expect(event.redactions).toEqual(['/input/a~1b~0c/Client-Secret', '/input/apiKey', '/input/note'])
    expect(entriesOf(files)).toEqual([
      { event_id: 'e0', path: '/input/a~1b~0c/Client-Secret', reason: 'sensitive_key', replacement: '[REDACTED]' },
      { event_id: 'e0', path: '/input/apiKey', reason: 'sensitive_key', replacement: '[REDACTED]' },
      { event_id: 'e0', path: '/input/note', reason: 'credential_pattern', replacement: '[REDACTED]' },
    ])
    const path = join(newFolder(), 'a.sftrace')
    saveStepfork(bundleOf('{"type":"tool_call","name":"t","input":{"apiKey":"k"}}'), path)
    expect(validateStepfork(path, { strict: false })).toMatchObject({ state: 'verified', hashes: [], structure: [] })
  })

  test('what is in the manifest too; a second save adds nothing', () => {
    const bundle = bundleOf('{"type":"run_start","input":"Bearer abcdefgh12345"}')
    bundle.manifest.set('agent_name', 'agent ghp_abcdefgh1')
    const path = join(newFolder(), 'a.sftrace')
    saveStepfork(bundle, path)
    const saved = snapshot(path)
    expect(saved['manifest.json']).toContain('"agent_name": "agent [REDACTED]"')
    expect(saved['redactions.json']).toContain('"event_id": "__manifest__"')
    expect(saved['events.jsonl']).toContain('"input":"Bearer [REDACTED]"')
    saveStepfork(loadStepfork(path), path, { overwrite: true })
    expect(snapshot(path)).toEqual(saved)
    expect(readdirSync(dirname(path))).toEqual(['a.sftrace'])
  })

  test('a credential in a structural member is refused, and nothing is written', () => {
    const bundle = bundleOf('{"type":"run_start","input":null,"parent_id":"sk-abcdefgh1"}')
    const path = join(newFolder(), 'a.sftrace')
    expect(() => saveStepfork(bundle, path)).toThrow(
      expect.objectContaining({ code: 'RETAKE_SECRET_FOUND', message: expect.not.stringContaining('abcdefgh1') }),
    )
    expect(readdirSync(dirname(path))).toEqual([])
  })

  test.each([
    ['Authorization: Bearer abcdefgh', 'Authorization: Bearer [REDACTED]'],
    ['authorization:bearer  abc.def~gh', 'authorization:bearer  [REDACTED]'],
    ['Bearer abcdefg', 'Bearer abcdefg'],
    ['sk-short', 'sk-short'],
    ['xsk-abcdefgh', 'xsk-abcdefgh'],
    ['ésk-abcdefgh', 'ésk-abcdefgh'],
    ['(gho_abcdefgh) github_pat_abcdefgh', '([REDACTED]) [REDACTED]'],
  ])('%s', (text, masked) => {
    expect(redactPayload(text).value).toBe(masked)
  })

  test.each(['password', 'PASSWD', 'access-token', 'refreshToken', 'auth_token', 'private key', 'session.token'])(
    'the member %s is sensitive',
    (key) => {
      expect(toPlain(redactPayload(new Map([[key, 'x']])).value)).toEqual({ [key]: '[REDACTED]' })
    },
  )

  test('passwords, tokens and secrets of other names are not', () => {
    const value = parseTokens('{"passwords":1,"token":2,"max_tokens":3,"secrets":4}')
    expect(redactPayload(value)).toEqual({ value: new Map([...(value as TokenObject)].sort()), findings: [] })
  })
})

describe('a hand-made bundle', () => {
  test('absent members are written as null, with the hash of null, as Stepfork does', () => {
    const [start = '', change = '', failure = ''] = linesOf(
      toStepforkFiles(
        bundleOf(
          '{"type":"run_start"}',
          '{"type":"state_change","after":1.50}',
          '{"type":"error","error_type":"E","message":"m"}',
        ),
      ),
    )
    const ofNull = '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'
    expect(JSON.parse(start)).toMatchObject({ input: null, input_hash: ofNull, status: 'ok', replay_policy: 'frozen' })
    expect(JSON.parse(change)).toMatchObject({ key: null, before: null, input_hash: ofNull })
    expect(change).toContain('9f29a130438b81170b92a42650f9a94291ecad60bd47af2a3886e75f7f728725')
    expect(JSON.parse(failure)).toMatchObject({ status: 'error', details: null, output_hash: ofNull })
  })
})

describe('the place of a bundle', () => {
  const bundle = loadStepfork(bundlePath('successful_run'))

  test('only .sftrace', () => {
    expect(() => saveStepfork(bundle, join(newFolder(), 'a.trace'))).toThrow('ends with .sftrace')
  })

  test('a folder with something in it is refused without overwrite; one that is no bundle always', () => {
    const there = copyBundle('failed_llm_run')
    const before = snapshot(there)
    expect(() => saveStepfork(bundle, there)).toThrow('is not empty')
    expect(snapshot(there)).toEqual(before)
    saveStepfork(bundle, there, { overwrite: true })
    expect(snapshot(there)).toEqual(snapshot(bundlePath('successful_run')))
    const other = join(newFolder(), 'a.sftrace')
    mkdirSync(other)
    writeFileSync(join(other, 'precious.txt'), 'mine')
    expect(() => saveStepfork(bundle, other, { overwrite: true })).toThrow('is no bundle')
    expect(readFileSync(join(other, 'precious.txt'), 'utf8')).toBe('mine')
    const file = join(newFolder(), 'b.sftrace')
    writeFileSync(file, '')
    expect(() => saveStepfork(bundle, file, { overwrite: true })).toThrow('a file in its place')
  })

  test('an empty folder and folders above it are no obstacle', () => {
    const path = join(newFolder(), 'a/b/c.sftrace')
    saveStepfork(bundle, path)
    const empty = join(newFolder(), 'd.sftrace')
    mkdirSync(empty)
    saveStepfork(bundle, empty)
    expect([existsSync(path), snapshot(empty)]).toEqual([true, snapshot(bundlePath('successful_run'))])
  })
})
