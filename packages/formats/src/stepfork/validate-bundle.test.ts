import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundleNames, bundlePath, bundlesFolder, copyBundle, edit, snapshot } from '../../test/corpus-bundles.ts'
import { parseTokens } from '../json/parse-tokens.ts'
import { stepforkHash } from './canonical.ts'
import type { StepforkIssue } from './issue.ts'
import { loadStepfork } from './load-bundle.ts'
import { payloadHashes } from './payload-hashes.ts'
import { validateStepfork } from './validate-bundle.ts'

// The known answers of Stepfork's own tests.
test.each([
  ['null', '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'],
  ['true', 'b5bea41b6c623f7c09f1bf24dcae58ebab3c0cdd90ad966bc43a45b44867e12b'],
  ['42', '73475cb40a568e8da8a045ced110137e159f890ac4da883b6b17dc651b3a8049'],
  ['1.5', '9f29a130438b81170b92a42650f9a94291ecad60bd47af2a3886e75f7f728725'],
  ['{}', '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
  ['[]', '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
  ['{"b":2,"a":1}', '43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777'],
  ['{"nested":{"z":[1,"काठमाडौँ",null],"a":false}}', '5e994630d09623b09ab0043b91b383a698f9effbebd1ab0271db0877ba6b4ac7'],
])('the hash of %s', (text, hash) => {
  expect(stepforkHash(parseTokens(text))).toBe(hash)
})

const codes = (issues: StepforkIssue[] | undefined): string[] => (issues ?? []).map(({ code }) => code)

const allCodes = (folder: string, strict = true): string[] => {
  const { files, structure, hashes, integrity } = validateStepfork(folder, { strict })
  return [...codes(files), ...codes(structure), ...codes(hashes), ...codes(integrity)]
}

describe('the public bundles', () => {
  const expected: Record<string, [state: string, codes: string[]]> = {
    'legacy_v01.sftrace': ['unverified_legacy', ['integrity_unverified']],
    'partial_run.sftrace': ['verified', ['run_start_count']],
  }

  test.each(bundleNames)('%s', (name) => {
    const { state } = validateStepfork(join(bundlesFolder, name))
    expect([state, allCodes(join(bundlesFolder, name))]).toEqual(expected[name] ?? ['verified', []])
  })

  test('eight are verified, one is legacy; a partial run is sound for who does not expect a whole one', () => {
    const states = bundleNames.map((name) => validateStepfork(join(bundlesFolder, name)).state)
    expect(states.filter((state) => state === 'verified')).toHaveLength(8)
    expect(states.filter((state) => state === 'unverified_legacy')).toHaveLength(1)
    expect(allCodes(bundlePath('partial_run'), false)).toEqual([])
  })

  test('all 52 stored payload hashes recompute, and no other is expected', () => {
    const pairs = bundleNames.flatMap((name) =>
      loadStepfork(join(bundlesFolder, name)).events.flatMap((event) =>
        (['input_hash', 'output_hash'] as const).map((member) => [
          event.get(member),
          payloadHashes(event)[member] ?? null,
        ]),
      ),
    )
    for (const [stored, computed] of pairs) expect(computed).toBe(stored)
    expect(pairs.filter(([stored]) => stored !== null)).toHaveLength(52)
  })
})

/** Makes the digests fit again, as who tampers with knowledge would. */
const reseal = (folder: string): void => {
  const digest = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
  const files = Object.fromEntries(
    ['manifest.json', 'events.jsonl', 'redactions.json'].map((file) => [file, digest(file)]),
  )
  writeFileSync(join(folder, 'integrity.json'), JSON.stringify({ schema_version: '0.1', algorithm: 'sha256', files }))
}

const eventLines = (folder: string, change: (lines: string[]) => void): void => {
  const path = join(folder, 'events.jsonl')
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  change(lines)
  writeFileSync(path, `${lines.join('\n')}\n`)
}

const swap = (lines: string[], a: number, b: number): void => {
  ;[lines[a], lines[b]] = [lines[b] as string, lines[a] as string]
}

describe('one change', () => {
  test.each<[string, (folder: string) => void, string[], string[]]>([
    [
      'a value of the manifest',
      (f) => edit(f, 'manifest.json', 'golden-llm-agent', 'golden-llm-agenT'),
      ['integrity_mismatch'],
      [],
    ],
    [
      'a value of an event',
      (f) => edit(f, 'events.jsonl', 'model unavailable', 'model  unavailable'),
      ['integrity_mismatch'],
      [],
    ],
    [
      'a payload',
      (f) => edit(f, 'events.jsonl', '"prompt":"Draft', '"prompt":"draft'),
      ['payload_hash_mismatch', 'integrity_mismatch'],
      ['payload_hash_mismatch'],
    ],
    [
      '1 that becomes 1.0 in a payload',
      (f) => {
        edit(f, 'events.jsonl', '"details":{"provider":"synthetic"}', '"details":{"provider":1.0}')
      },
      ['payload_hash_mismatch', 'integrity_mismatch'],
      ['payload_hash_mismatch'],
    ],
    ['white space of redactions.json', (f) => edit(f, 'redactions.json', '[]', '[ ]'), ['integrity_mismatch'], []],
    [
      'a digest',
      (f) => edit(f, 'integrity.json', '"events.jsonl": "', '"events.jsonl": "0'),
      ['integrity_metadata_invalid'],
      [],
    ],
    [
      'two events, swapped',
      (f) => eventLines(f, (lines) => swap(lines, 1, 2)),
      ['step_order', 'parent_not_earlier', 'integrity_mismatch'].sort(),
      ['parent_not_earlier', 'step_order'],
    ],
    [
      'the run_start, behind its children',
      (f) => eventLines(f, (lines) => swap(lines, 0, 1)),
      ['integrity_mismatch', 'parent_not_earlier', 'step_order'],
      ['parent_not_earlier', 'step_order'],
    ],
    [
      'an event, gone',
      (f) => eventLines(f, (lines) => lines.splice(1, 1)),
      ['event_count_mismatch', 'integrity_mismatch', 'invalid_parent'],
      ['event_count_mismatch', 'invalid_parent'],
    ],
    [
      'an event, twice',
      (f) => eventLines(f, (lines) => lines.push(lines[0] as string)),
      ['duplicate_event_id', 'event_count_mismatch', 'integrity_mismatch', 'run_start_count', 'step_order'],
      ['duplicate_event_id', 'event_count_mismatch', 'run_start_count', 'step_order'],
    ],
    [
      'the run of an event',
      (f) => edit(f, 'events.jsonl', 'run_failed_llm_001', 'run_other'),
      ['integrity_mismatch', 'run_id_mismatch'],
      ['run_id_mismatch'],
    ],
    [
      'a parent that is not there',
      (f) => edit(f, 'events.jsonl', '"parent_id":"evt_llm_001"', '"parent_id":"evt_x"'),
      ['integrity_mismatch', 'invalid_parent'],
      ['invalid_parent'],
    ],
    [
      'a hash, gone',
      (f) =>
        edit(
          f,
          'events.jsonl',
          /"input_hash":"[^"]+"/.exec(readFileSync(join(f, 'events.jsonl'), 'utf8'))?.[0] ?? '',
          '"input_hash":null',
        ),
      ['integrity_mismatch', 'integrity_unverified'],
      ['integrity_unverified'],
    ],
    [
      'the run_start, another type',
      (f) => edit(f, 'events.jsonl', '"type":"run_start"', '"type":"run_stop"'),
      ['integrity_mismatch', 'invalid_event'],
      ['invalid_event'],
    ],
    [
      'no error event in a failed run',
      (f) =>
        eventLines(f, (lines) => {
          lines.splice(2, 2)
        }),
      ['event_count_mismatch', 'integrity_mismatch', 'missing_error_event'],
      ['event_count_mismatch', 'missing_error_event'],
    ],
    [
      'NaN in a payload',
      (f) => edit(f, 'events.jsonl', '"provider":"synthetic"', '"provider":NaN'),
      ['integrity_mismatch', 'invalid_json'],
      ['invalid_json'],
    ],
    [
      'half of a surrogate pair',
      (f) => edit(f, 'events.jsonl', '"provider":"synthetic"', '"provider":"\\ud800"'),
      ['integrity_mismatch', 'invalid_event'],
      ['invalid_event'],
    ],
    [
      'a member that the format does not know',
      (f) => edit(f, 'events.jsonl', '"step":0', '"note":1,"step":0'),
      ['integrity_mismatch', 'invalid_event'],
      ['invalid_event'],
    ],
    [
      'a time without zone',
      (f) => edit(f, 'events.jsonl', '10:00:00Z', '10:00:00'),
      ['integrity_mismatch', 'invalid_event'],
      ['invalid_event'],
    ],
    [
      'a blank line',
      (f) => eventLines(f, (lines) => lines.splice(1, 0, ' ')),
      ['integrity_mismatch', 'invalid_json'],
      ['invalid_json'],
    ],
    [
      'a line that ends early',
      (f) => eventLines(f, (lines) => lines.push('{"id":"evt')),
      ['integrity_mismatch', 'invalid_json'],
      ['invalid_json'],
    ],
    [
      'a member twice',
      (f) => edit(f, 'manifest.json', '"status": "failed"', '"status": "failed", "status": "failed"'),
      ['integrity_mismatch', 'invalid_json'],
      ['invalid_json'],
    ],
    [
      'a failed run without failure',
      (f) => edit(f, 'manifest.json', '"status": "failed"', '"status": "completed"'),
      ['integrity_mismatch', 'invalid_manifest'],
      ['invalid_manifest'],
    ],
    [
      'another schema',
      (f) => edit(f, 'manifest.json', '"schema_version": "0.1"', '"schema_version": "0.2"'),
      ['integrity_mismatch', 'unsupported_schema'],
      ['unsupported_schema'],
    ],
    [
      'another schema of redactions',
      (f) => edit(f, 'redactions.json', '"0.1"', '"0.2"'),
      ['integrity_mismatch', 'unsupported_schema'],
      ['unsupported_schema'],
    ],
    [
      'bytes that are no UTF-8',
      (f) => writeFileSync(join(f, 'events.jsonl'), Buffer.from([0x7b, 0xff, 0x7d])),
      ['integrity_mismatch', 'invalid_json'],
      ['invalid_json'],
    ],
    [
      'redactions of another shape',
      (f) => edit(f, 'redactions.json', '[]', '[{"event_id":"e","path":"/a","reason":"r","secret":"s"}]'),
      ['integrity_mismatch', 'invalid_manifest'],
      ['invalid_manifest'],
    ],
  ])('%s', (_, change, expected, resealed) => {
    const folder = copyBundle('failed_llm_run')
    change(folder)
    const before = snapshot(folder)
    expect(allCodes(folder).sort()).toEqual([...expected].sort())
    expect(snapshot(folder)).toEqual(before)
    reseal(folder)
    expect(allCodes(folder).sort()).toEqual(resealed)
  })
})

describe('files of a bundle', () => {
  test.each<[string, (folder: string) => void, string[]]>([
    ['no integrity.json', (f) => rmSync(join(f, 'integrity.json')), ['integrity_unverified']],
    ['no manifest', (f) => rmSync(join(f, 'manifest.json')), ['missing_file', 'missing_file']],
    ['an extra file', (f) => writeFileSync(join(f, 'notes.txt'), ''), ['unexpected_file']],
    ['an extra folder', (f) => mkdirSync(join(f, '..data')), ['unexpected_file']],
    [
      'a folder as a file',
      (f) => {
        rmSync(join(f, 'events.jsonl'))
        mkdirSync(join(f, 'events.jsonl'))
      },
      ['unsafe_file', 'missing_file'],
    ],
    [
      'a link to its own file',
      (f) => {
        renameSync(join(f, 'events.jsonl'), `${f}.events`)
        symlinkSync(`${f}.events`, join(f, 'events.jsonl'))
      },
      ['unsafe_file', 'missing_file'],
    ],
    [
      'a link as integrity.json',
      (f) => {
        rmSync(join(f, 'integrity.json'))
        symlinkSync('/dev/null', join(f, 'integrity.json'))
      },
      ['unsafe_file', 'integrity_unverified'],
    ],
    [
      'a pipe',
      (f) => {
        rmSync(join(f, 'events.jsonl'))
        execFileSync('mkfifo', [join(f, 'events.jsonl')])
      },
      ['unsafe_file', 'missing_file'],
    ],
    ['integrity.json, no JSON', (f) => writeFileSync(join(f, 'integrity.json'), '{'), ['integrity_metadata_invalid']],
    ['another algorithm', (f) => edit(f, 'integrity.json', 'sha256', 'md5'), ['integrity_algorithm_unsupported']],
    [
      'no digest of a file',
      (f) =>
        edit(
          f,
          'integrity.json',
          /"redactions.json"[^\n]+/.exec(readFileSync(join(f, 'integrity.json'), 'utf8'))?.[0] ?? '',
          '"manifest.json": "x"',
        ),
      ['integrity_metadata_invalid'],
    ],
    [
      'a digest of a file outside',
      (f) => edit(f, 'integrity.json', '"files": {', '"files": { "../secrets.json": "0",'),
      ['integrity_metadata_invalid'],
    ],
  ])('%s', (_, change, expected) => {
    const folder = copyBundle('successful_run')
    change(folder)
    expect(allCodes(folder)).toEqual(expected)
  })

  test('a bundle that cannot be read is one typed error with its code, and nothing of its content', () => {
    const folder = copyBundle('successful_run')
    edit(folder, 'events.jsonl', '"type":"tool_call"', '"type":"sekret"')
    expect(() => loadStepfork(folder)).toThrow(
      expect.objectContaining({
        code: 'RETAKE_CASSETTE_CORRUPT',
        details: expect.objectContaining({ issue: 'invalid_event' }),
      }),
    )
    expect(() => loadStepfork(folder)).toThrow(/^(?!.*sekret)/s)
    edit(folder, 'manifest.json', '"schema_version": "0.1"', '"schema_version": "9"')
    expect(() => loadStepfork(folder)).toThrow(expect.objectContaining({ code: 'RETAKE_CASSETTE_VERSION' }))
    expect(() => loadStepfork(join(folder, 'nowhere'))).toThrow(expect.objectContaining({ code: 'RETAKE_CONFIG' }))
  })
})
