import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inCorpusFolder } from '../../test/run-main.ts'

const { at, read, write, edit, run } = inCorpusFolder()

test('a line a cassette, the name of its file last', async () => {
  expect(await run('list', 'fork-child.v2.json', 'error-unknown-tool.v2.json', 'fork-parent.v2.json')).toEqual({
    code: 0,
    out: [
      '✓ success  v2   7 steps  2 requests   4.8 kB  fork-child.v2.json',
      '✓ error    v2   5 steps  1 request    2.7 kB  error-unknown-tool.v2.json',
      '✓ success  v2  15 steps  4 requests  14.1 kB  fork-parent.v2.json',
      '',
      '3 of 3 cassettes verify',
      '',
    ].join('\n'),
    err: '',
  })
})

test('folders and globs are looked through, without arguments the current folder', async () => {
  mkdirSync(at('a/__cassettes__'), { recursive: true })
  write('a/__cassettes__/x.cassette.json', read('fork-child.v2.json'))
  for (const argv of [[], ['a'], ['**/*.cassette.json']]) {
    const { code, out } = await run('list', '--json', ...argv)
    const files = JSON.parse(out).map(({ file }: { file: string }) => file)
    expect([code, files]).toEqual([0, ['a/__cassettes__/x.cassette.json']])
  }
  mkdirSync(at('empty'))
  expect(await run('list', 'empty')).toMatchObject({
    code: 2,
    out: expect.stringContaining('\n  there is no *.cassette.json below this folder\n'),
  })
})

test('what does not verify or cannot be read is told without a stored value', async () => {
  edit('fork-child.v2.json', 'No hotels available for that date.', 'Five hotels are free.')
  write('notes.md', 'no json')
  const { code, out } = await run('list', 'fork-child.v2.json', 'notes.md', 'gone.json', 'fork-parent.v2.json')
  expect(code).toBe(2)
  expect(out).not.toContain('hotels')
  expect(out.split('\n')).toEqual([
    expect.stringMatching(/^✗ invalid {2}v2 .* 4\.8 kB {2}fork-child\.v2\.json$/),
    expect.stringMatching(/^ {2}hash_chain: step 3: /),
    expect.stringMatching(/^✗ invalid .* 7 B {2}notes\.md$/),
    expect.stringMatching(/^ {2}schema_version: line 1, column \d+: /),
    expect.stringMatching(/^✓ success .*fork-parent\.v2\.json$/),
    expect.stringMatching(/^✗ invalid .*gone\.json$/),
    '  there is no such file',
    '',
    '1 of 4 cassettes verify',
    '',
  ])
  expect((await run('list', 'fork-child.v2.json')).code).toBe(1)
})

test('--json prints one array, an entry a file', async () => {
  const { out } = await run('list', '--json', 'fork-child.v2.json', 'gone.json')
  expect(JSON.parse(out)).toEqual([
    {
      file: 'fork-child.v2.json',
      version: 2,
      pass: true,
      bytes: read('fork-child.v2.json').length + 4,
      id: 'fixture-fork-parent-fork',
      createdAt: 0,
      parentId: 'fixture-fork-parent',
      status: 'success',
      steps: 7,
      requests: 2,
      tools: ['search'],
    },
    { file: 'gone.json', version: null, pass: false, state: 'unreadable', problem: 'there is no such file' },
  ])
})

test('a folder that holds no cassette is a usage error', async () => {
  expect(await run('list')).toEqual({
    code: 2,
    out: '',
    err: 'retake: there is no *.cassette.json below this folder (see retake list --help)\n',
  })
})
