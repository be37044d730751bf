import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStyle } from '@retake/report'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { main } from './main.ts'

const corpus = new URL('../../../test/corpus/blackbox/', import.meta.url).pathname
let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'retake-cli-'))
  for (const name of readdirSync(corpus).filter((file) => file.endsWith('.json'))) {
    copyFileSync(join(corpus, name), join(cwd, name))
  }
})
afterEach(() => rmSync(cwd, { recursive: true }))

const run = async (...argv: string[]) => {
  const out: string[] = []
  const err: string[] = []
  const code = await main(argv, {
    cwd,
    style: createStyle({ legend: 'git' }),
    warnStyle: createStyle(),
    width: 100,
    write: (text) => out.push(text),
    print: (text) => out.push(text),
    warn: (text) => err.push(text),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}
const edit = (name: string, from: string, to: string) => {
  const text = readFileSync(join(cwd, name), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(cwd, name), text.replace(from, to))
}

test.each([
  [[], 'no command given'],
  [['nope'], 'unknown command "nope"'],
  [['repaly'], 'unknown command "repaly"; did you mean replay?'],
  [['verify', '--nope', 'x'], 'verify has no flag --nope'],
  [['verify', '-x'], 'verify has no flag -x'],
  [['verify', '--no-nope'], 'verify has no flag --no-nope'],
  [['verify', '--no-json'], 'verify has no flag --no-json'],
  [['verify', '--semantic', 'x'], 'verify has no flag --semantic'],
  [['verify', '--json=1', 'x'], '--json takes no value'],
  [['diff', 'a'], 'diff takes two cassettes, not 1'],
  [['diff', 'a', 'b', 'c', '--semantic'], 'diff takes two cassettes, not 3'],
])('%j is a usage error in one line', async (argv, message) => {
  const [verb = ''] = argv
  const help = ['verify', 'diff'].includes(verb) ? `retake ${verb} --help` : 'retake --help'
  expect(await run(...argv)).toEqual({ code: 2, out: '', err: `retake: ${message} (see ${help})` })
})

test('help and version are no errors', async () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(await run('--version')).toEqual({ code: 0, out: manifest.version, err: '' })
  expect(await run('-h')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ verify .*\n(?:.*\n)* {2}convert /),
    err: '',
  })
  expect(await run('diff', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('--semantic'), err: '' })
  expect((await run('--help', 'verify')).out).toContain('Usage: retake verify')
})

test.each(['verify', 'list', 'inspect', 'diff', 'assert', 'convert'])('%s --help fits a terminal', async (verb) => {
  const { code, out, err } = await run(verb, '-h')
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain(`Usage: retake ${verb} `)
  expect(out).toMatch(/Exit code: 0 .*, 1 .*, 2 /)
  expect(out.split('\n').filter((line) => line.length > 104)).toEqual([])
})

test('verify passes the public cassettes and counts them', async () => {
  const { code, out, err } = await run('verify', '*.json')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/8 of 8 cassettes pass$/)
})

test('verify prints a row a check for one file', async () => {
  const { out } = await run('verify', 'fork-child.v2.json')
  expect(out.split('\n').map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
    'PASS',
    '✓ schema_version',
    '✓ hash_chain',
    '✓ provider_neutrality',
    '✓ replayability',
    '✓ payload_shape',
    '✓ pairing',
  ])
})

test('verify prints one JSON array, an entry a file, with the checks in order', async () => {
  const { code, out } = await run('verify', '--json', 'fork-child.v2.json', 'fork-parent.v2.json')
  const report = JSON.parse(out)
  expect(code).toBe(0)
  expect(report).toHaveLength(2)
  expect(report[0]).toMatchObject({ file: 'fork-child.v2.json', format: 'retake', version: 2, pass: true })
  expect(report[0].checks.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
    ['schema_version', 'pass'],
    ['hash_chain', 'pass'],
    ['provider_neutrality', 'pass'],
    ['replayability', 'pass'],
    ['payload_shape', 'pass'],
    ['pairing', 'pass'],
  ])
})

test('verify fails an edited cassette, naming check and step and no stored value', async () => {
  edit('fork-child.v2.json', 'No hotels available for that date.', 'Five hotels are free.')
  const { code, out } = await run('verify', 'fork-child.v2.json')
  expect(code).toBe(1)
  expect(out).toMatch(/✗ hash_chain +step 3: /)
  expect(out).not.toContain('hotels')
})

test('a file that is no JSON fails schema_version in verify, and cannot be judged in diff', async () => {
  writeFileSync(join(cwd, 'notes.md'), 'no json')
  expect(await run('verify', 'notes.md')).toMatchObject({ code: 1, out: expect.stringMatching(/✗ schema_version/) })
  expect(await run('diff', 'notes.md', 'fork-child.v2.json')).toMatchObject({ code: 2, out: '' })
})

test('a missing file weighs more than a failing one', async () => {
  writeFileSync(join(cwd, 'notes.md'), 'no json')
  const { code, out, err } = await run('verify', 'notes.md', 'gone.json', 'gone/*.json', 'fork-child.v2.json', '--json')
  expect(code).toBe(2)
  expect(err.split('\n')).toEqual([
    'retake verify: gone.json: there is no such file',
    'retake verify: gone/*.json: there is no such file',
  ])
  expect(JSON.parse(out).map(({ file, pass, state }: Record<string, unknown>) => [file, pass, state])).toEqual([
    ['notes.md', false, undefined],
    ['fork-child.v2.json', true, undefined],
    ['gone.json', false, 'unreadable'],
    ['gone/*.json', false, 'unreadable'],
  ])
})

test('verify takes folders, and names that look like globs', async () => {
  expect(await run('verify')).toMatchObject({ code: 2, err: expect.stringContaining('no *.cassette.json') })
  mkdirSync(join(cwd, 'a', '__cassettes__', 'node_modules'), { recursive: true })
  const file = join('a', '__cassettes__', 'x [1].cassette.json')
  copyFileSync(join(cwd, 'fork-child.v2.json'), join(cwd, file))
  copyFileSync(join(cwd, 'fork-child.v2.json'), join(cwd, 'a', '__cassettes__', 'node_modules', 'y.cassette.json'))
  for (const argv of [[], ['a'], ['a/**/*.cassette.json'], [file], [file, 'a'], ['--', file]]) {
    const { code, out } = await run('verify', '--json', ...argv)
    expect([code, JSON.parse(out).map((entry: { file: string }) => entry.file)]).toEqual([0, [file]])
  }
})

test('diff tells where two runs part, in text and as JSON', async () => {
  const text = await run('diff', 'fork-parent.v2.json', 'fork-child.v2.json')
  expect(text.code).toBe(1)
  expect(text.out).toContain('3 shared, then tool_result differs at step 3 (by hash)')
  const { code, out } = await run('diff', '--json', 'fork-parent.v2.json', 'fork-child.v2.json')
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    equal: false,
    by: 'hash',
    firstDivergence: 3,
    outcome: { verdict: 'same final status (success), but the final answer changed' },
    differences: expect.arrayContaining([
      { step: 3, path: 'result.message', kind: 'added', after: 'No hotels available for that date.' },
    ]),
  })
})

test('diff of equal runs is 0, and --semantic takes no value', async () => {
  expect(await run('diff', 'fork-parent.v2.json', '--semantic', 'success-tool-use.v2.json')).toMatchObject({ code: 0 })
  const { code, out } = await run('diff', 'fork-parent.v2.json', 'fork-parent.v2.json', '--semantic', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ equal: true, by: 'semantic', firstDivergence: null, differences: [] })
})

test('hashes that do not fit their steps are not compared', async () => {
  edit('fork-child.v2.json', 'No hotels available for that date.', 'Five hotels are free.')
  expect(await run('diff', 'fork-parent.v2.json', 'fork-child.v2.json')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^retake: fork-child\.v2\.json: .*step 3.*--semantic$/),
  })
  expect(await run('diff', '--semantic', 'fork-parent.v2.json', 'fork-child.v2.json')).toMatchObject({ code: 1 })
})

test('what a terminal would act on is escaped, also in JSON, where it stays the same value', async () => {
  edit('success-final-answer.v2.json', 'The capital of France is Paris.', 'Paris\\u001b[2J\\u009b1m\\u202e')
  const text = await run('diff', '--semantic', 'fork-child.v2.json', 'success-final-answer.v2.json')
  expect(text.out).toContain('Paris\\u001b[2J\\u009b1m\\u202e')
  const json = await run('diff', '--semantic', '--json', 'fork-child.v2.json', 'success-final-answer.v2.json')
  for (const { out } of [text, json]) expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(JSON.stringify(JSON.parse(json.out))).toContain('\u202e')
})

test('a reader that stops early is no failure', async () => {
  const script = `
    const { main } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)})
    process.exitCode = await main(['diff', 'triage-incident.json', 'triage-hypothesis.json', '--json'])
    process.stdout.write('x'.repeat(1_000_000))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise((done) => child.on('close', done))
  expect([code, err]).toEqual([1, ''])
})
