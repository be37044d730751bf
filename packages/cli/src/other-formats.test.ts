import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyFile } from '@retake/trace'
import { beforeEach, describe, expect, test } from 'vitest'
import { runMain } from '../test/run-main.ts'

const corpus = join(import.meta.dirname, '../../../test/corpus')

/** A folder with a recording of each format, under names that tell nothing. */
let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'retake-cli-'))
  for (const name of readdirSync(join(corpus, 'stepfork')).filter((entry) => entry.endsWith('.sftrace'))) {
    cpSync(join(corpus, 'stepfork', name), join(cwd, name), { recursive: true })
  }
  cpSync(join(cwd, 'successful_run.sftrace'), join(cwd, 'bundle'), { recursive: true })
  cpSync(join(corpus, 'backspin/written-by-python.backspin.jsonl'), join(cwd, 'python.log'))
  cpSync(join(corpus, 'backspin/failed-call.backspin.jsonl'), join(cwd, 'failed.log'))
  cpSync(join(corpus, 'blackbox/success-tool-use.v2.json'), join(cwd, 'cassette.json'))
})
const run = (...argv: string[]) => runMain(cwd, argv)
const json = async (...argv: string[]) => {
  const { code, out, err } = await run(...argv, '--json')
  return { code, err, document: JSON.parse(out) }
}
const edit = (file: string, from: string, to: string) => {
  const text = readFileSync(join(cwd, file), 'utf8')
  if (!text.includes(from)) throw new TypeError(`${file} has no ${from}`)
  writeFileSync(join(cwd, file), text.replace(from, to))
}

describe('verify', () => {
  test('knows each format by what it holds', async () => {
    const { code, document } = await json('verify', 'bundle', 'python.log', 'cassette.json')
    expect(code).toBe(0)
    expect(document).toMatchObject([
      { file: 'bundle', format: 'stepfork', version: '0.1', pass: true, state: 'verified' },
      { file: 'python.log', format: 'backspin', version: 1, pass: true },
      { file: 'cassette.json', format: 'retake', version: 2, pass: true },
    ])
  })

  test.each([
    ['successful_run.sftrace', [], 0, 'verified', []],
    ['partial_run.sftrace', [], 1, 'verified', ['run_start_count']],
    ['partial_run.sftrace', ['--partial'], 0, 'verified', []],
    ['legacy_v01.sftrace', [], 3, 'unverified_legacy', ['integrity_unverified']],
  ])('%s %j: exit code %i', async (file, flags, exit, state, codes) => {
    const { code, document } = await json('verify', file, ...flags)
    const failed = document[0].checks.filter(({ status }: { status: string }) => status === 'fail')
    expect([code, document[0].state, failed.map((check: { code: string }) => check.code)]).toEqual([exit, state, codes])
  })

  test('what fails only as a whole run names the flag', async () => {
    const { out } = await run('verify', 'partial_run.sftrace')
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /✗ structure .*exactly one run_start; this one has 0\. Is it a part of a run\? --partial accepts it\./,
    )
    edit('partial_run.sftrace/events.jsonl', '"evt_partial_001"', '"evt_partial_002"')
    expect((await run('verify', 'partial_run.sftrace')).out).not.toContain('--partial')
  })

  test('a legacy bundle beside others: what is worse decides', async () => {
    expect((await run('verify', 'legacy_v01.sftrace', 'bundle')).code).toBe(3)
    expect((await run('verify', 'legacy_v01.sftrace', 'partial_run.sftrace')).code).toBe(1)
    expect((await run('verify', 'legacy_v01.sftrace', 'nowhere')).code).toBe(2)
    edit('legacy_v01.sftrace/events.jsonl', 'Legacy query', 'another query')
    expect((await run('verify', 'legacy_v01.sftrace')).code).toBe(1)
  })

  test('people get a row a check, and UNVERIFIED for a legacy bundle', async () => {
    expect((await run('verify', 'legacy_v01.sftrace')).out).toBe(
      [
        'UNVERIFIED  legacy_v01.sftrace  stepfork 0.1',
        '  ✓ files           the files are those of the format',
        '  ✓ structure       ids, parents and counts fit',
        '  ✓ payload_hashes  every payload has its hash',
        '  ✗ integrity       integrity.json: Bundle has no integrity.json metadata.',
        '',
      ].join('\n'),
    )
  })

  test.each<[string, string, () => void, string]>([
    [
      'a changed payload',
      'bundle',
      () => edit('bundle/events.jsonl', 'Find Kathmandu', 'Find Pokhara'),
      'payload_hash_mismatch',
    ],
    [
      'a link',
      'bundle',
      () => {
        rmSync(join(cwd, 'bundle/redactions.json'))
        symlinkSync('/etc/hostname', join(cwd, 'bundle/redactions.json'))
      },
      'unsafe_file',
    ],
    ['a changed message', 'python.log', () => edit('python.log', 'How warm', 'How cold'), 'fingerprint_mismatch'],
    ['another schema', 'python.log', () => edit('python.log', '"schema": 1', '"schema": 7'), 'RETAKE_CASSETTE_VERSION'],
  ])('%s is a failure with its code', async (_, file, change, expected) => {
    change()
    const { code, document } = await json('verify', file)
    expect(code).toBe(1)
    expect(document[0].checks.find(({ status }: { status: string }) => status === 'fail').code).toBe(expected)
  })
})

describe('inspect', () => {
  test('shows a bundle as the trace that it converts to', async () => {
    const { code, out } = await run('inspect', 'incident-triage.sftrace')
    expect(code).toBe(0)
    expect(out).toContain('incident-triage.sftrace  stepfork 0.1, 15 steps')
    expect(out).toMatch(/ {2}model +gemini-2\.5-flash\n {2}tools +lookup_service_health → lookup_service_health/)
    expect(out).toMatch(/ {2}verified +yes, 4 checks\n/)
    expect(out).toMatch(/ {2}replay +yes, with useCassette\(\{ from \}\)\n/)
  })

  test('says what keeps a file from being replayed', async () => {
    expect((await run('inspect', 'bundle')).out).toMatch(/ {2}replay +no: evt_success_002 provider: the protocol/)
    const { code, document } = await json('inspect', 'python.log')
    expect(code).toBe(0)
    expect(document).toMatchObject({
      file: 'python.log',
      format: 'backspin',
      version: 1,
      id: '9f31c2ab77e0',
      missing: [],
    })
    expect(document.steps).toHaveLength(12)
    expect(document.lost.length).toBeGreaterThan(5)
  })

  test('one that does not verify is shown, with exit code 1; --step shows a step', async () => {
    expect((await run('inspect', 'python.log', '--step', '4')).out).toContain('get_weather')
    edit('python.log', 'How warm', 'How cold')
    const { code, out } = await run('inspect', 'python.log')
    expect([code, out]).toEqual([1, expect.stringContaining('no: fingerprints at event 3')])
  })
})

describe('diff', () => {
  test('two bundles by the rules of Stepfork', async () => {
    const { code, out } = await run('diff', 'diff_baseline.sftrace', 'diff_changed.sftrace')
    expect(code).toBe(1)
    expect(out).toContain('2 steps differ (by the rules of stepfork)')
    expect(out).toContain('    output.price: 320 → 450\n')
    const { document } = await json('diff', 'diff_baseline.sftrace', 'diff_changed.sftrace')
    expect(document).toMatchObject({
      equal: false,
      by: 'semantic',
      firstDivergence: 0,
      outcome: { verdict: expect.any(String) },
    })
    expect(document.differences).toHaveLength(3)
    expect((await run('diff', 'bundle', 'successful_run.sftrace')).code).toBe(0)
  })

  test('two runs of backspin by their signature, or by all that they say', async () => {
    cpSync(join(cwd, 'python.log'), join(cwd, 'other.log'))
    edit('other.log', 'It is 22', 'It is 23')
    expect((await json('diff', 'python.log', 'other.log')).document).toMatchObject({
      equal: true,
      by: 'hash',
      firstDivergence: null,
    })
    const { code, document } = await json('diff', '--semantic', 'python.log', 'other.log')
    expect([code, document.by]).toEqual([1, 'semantic'])
    expect((await run('diff', 'python.log', 'failed.log')).code).toBe(1)
  })

  test('a bundle against a cassette, as traces', async () => {
    expect((await json('diff', 'bundle', 'cassette.json')).document).toMatchObject({ equal: false, by: 'semantic' })
  })
})

describe('convert', () => {
  test('to a cassette and back; what is not carried over is told first', async () => {
    const there = await run('convert', 'bundle', '--from', 'stepfork', '--to', 'retake', '--out', 'a.cassette.json')
    expect([there.code, there.out]).toEqual([0, 'wrote a.cassette.json: retake\n'])
    expect(there.err).toBe(
      [
        'retake convert: bundle: not carried over:',
        '  events.jsonl: ids and parents of events are made anew',
        '  events.jsonl llm_request, llm_response: ids, times and null members of bodies are made anew; request fields that change no answer are left out',
        '',
      ].join('\n'),
    )
    expect(verifyFile(join(cwd, 'a.cassette.json'))).toMatchObject({ version: 3, pass: true })
    expect((await run('convert', 'a.cassette.json', '--to', 'stepfork', '--out', 'back.sftrace')).code).toBe(0)
    expect((await run('verify', 'back.sftrace')).code).toBe(0)
    expect((await run('diff', 'bundle', 'back.sftrace')).code).toBe(0)
  })

  test('--strict writes nothing where something is lost', async () => {
    const { code, out, err } = await run('convert', 'bundle', '--to', 'v3', '--strict', '--out', 'a.cassette.json')
    expect([code, out, existsSync(join(cwd, 'a.cassette.json'))]).toEqual([1, '', false])
    expect(err).toContain('nothing was written (--strict)')
  })

  test('to standard output', async () => {
    const { code, out } = await run('convert', 'cassette.json', '--to', 'backspin')
    expect(code).toBe(0)
    writeFileSync(join(cwd, 'new.log'), out)
    expect((await run('verify', 'new.log')).code).toBe(0)
  })

  test.each([
    [['bundle', '--from', 'backspin', '--to', 'v3'], 2, 'bundle is of the format stepfork, not backspin'],
    [['bundle', '--from', 'nobody', '--to', 'v3'], 2, '--from takes the name of a format, not "nobody"'],
    [['cassette.json', '--to', 'stepfork'], 2, 'stepfork is a folder: --out says where to write it'],
    [['python.log', '--to', 'nobody'], 2, '--to takes v2, v3, retake, stepfork, backspin, agentskit, not "nobody"'],
    [['cassette.json', '--to', 'stepfork', '--out', 'bundle'], 2, 'the name of a bundle ends with .sftrace'],
    [['cassette.json', '--to', 'stepfork', '--out', 'successful_run.sftrace'], 2, 'is not empty'],
  ])('%j', async (argv, exit, message) => {
    const { code, out, err } = await run('convert', ...argv)
    expect([code, out]).toEqual([exit, ''])
    expect(err).toContain(message)
  })

  test('a bundle that was changed is not converted', async () => {
    edit('bundle/events.jsonl', 'Find Kathmandu', 'Find Pokhara')
    const { code, err } = await run('convert', 'bundle', '--to', 'v3')
    expect(code).toBe(1)
    expect(err).toMatch(/^retake convert: bundle: it does not verify: payload_hashes at events\.jsonl:/)
    expect(err).not.toContain('Pokhara')
  })

  test('a key is not written a second time', async () => {
    edit('python.log', 'boom', `sk-${'a1B2'.repeat(10)}`)
    const { code, out, err } = await run('convert', 'python.log', '--to', 'v3')
    expect([code, out]).toEqual([1, ''])
    expect(err).not.toContain('a1B2a1B2')
  })
})
