import { expect, test } from 'vitest'
import { inCorpusFolder } from '../../test/run-main.ts'

const { write, edit, run, runAt } = inCorpusFolder()
const answer = 'Hotel booked for Alice on 2024-03-15 at 14:00.'
const booked = 'fork-parent.v2.json'

test('a run that did as expected passes, with a row for each expectation', async () => {
  expect(
    await run(
      ...['assert', booked, '--expect-tools', 'search, calendar,booking', '--expect-status', 'success'],
      ...['--expect-final-answer', answer],
    ),
  ).toEqual({
    code: 0,
    out: [
      'PASS  fork-parent.v2.json  verified, 3 expectations',
      '  ✓ status        success',
      `  ✓ final_answer  ${answer}`,
      '  ✓ tools         search → calendar → booking',
      '',
    ].join('\n'),
    err: '',
  })
})

test('no expectation only verifies', async () => {
  expect(await run('assert', booked)).toMatchObject({
    code: 0,
    out: 'PASS  fork-parent.v2.json  verified, no expectations\n',
  })
})

test('what is not as expected stands under its row', async () => {
  const { code, out } = await runAt(
    80,
    ...[
      'assert',
      'error-unknown-tool.v2.json',
      '--expect-final-answer',
      'Hi',
      '--expect-failure-reason',
      'agent_error',
    ],
    ...['--expect-tools', ''],
  )
  expect(code).toBe(1)
  expect(out.split('\n')).toEqual([
    'FAIL  error-unknown-tool.v2.json  verified, 3 expectations',
    '  ✗ final_answer    the run has no final answer',
    '      - expected  Hi',
    '      + actual    (none)',
    '  ✗ failure_reason  another failure reason',
    '      - expected  agent_error',
    '      + actual    unknown_tool',
    '  ✗ tools           another tool path',
    '      - expected  (none)',
    expect.stringMatching(/^ {6}\+ actual {4}\w+$/),
    '',
  ])
})

test('values are texts, whatever they look like', async () => {
  for (const value of ['007', '', '1e3', 'true', 'a=b']) {
    const { out } = await run('assert', booked, '--json', `--expect-final-answer=${value}`)
    expect(JSON.parse(out).checks[0].expected).toBe(value)
    expect(
      JSON.parse((await run('assert', booked, '--json', '--expect-final-answer', value)).out).checks[0].expected,
    ).toBe(value)
  }
  const dash = await run('assert', booked, '--json', '--expect-final-answer=-5')
  expect(JSON.parse(dash.out).checks[0].expected).toBe('-5')
})

test('--json prints the report', async () => {
  const { code, out } = await run('assert', booked, '--json', '--expect-status', 'error', '--expect-tools', '')
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    pass: false,
    verify: { file: booked, pass: true },
    checks: [
      { name: 'status', status: 'fail', expected: 'error', actual: 'success' },
      { name: 'tools', status: 'fail', expected: [], actual: ['search', 'calendar', 'booking'] },
    ],
    firstFailure: { kind: 'expectation', check: { name: 'status' } },
  })
})

test('a cassette that does not verify skips the expectations and shows no stored value', async () => {
  edit(booked, 'Fixture result A', 'Fixture result B')
  const { code, out, err } = await run('assert', booked, '--expect-status', 'success')
  expect([code, err]).toEqual([1, ''])
  expect(out).toMatch(/^FAIL {2}fork-parent\.v2\.json.*\n.*\n {2}✗ hash_chain/)
  expect(out).toMatch(/\n {2}– status {2}skipped \(the cassette does not verify\)\n$/)
  expect(out).not.toContain('Fixture')
  const json = JSON.parse((await run('assert', booked, '--json', '--expect-status', 'success')).out)
  expect(json).toMatchObject({ firstFailure: { kind: 'verify', check: { name: 'hash_chain', where: 'step 3' } } })
})

test('the seal of a version 3 file is verified too', async () => {
  const { out } = await run('convert', '--to', 'v3', booked)
  write('a.json', out.replace('Fixture result A', 'Fixture result B'))
  expect(await run('assert', 'a.json')).toMatchObject({ code: 1, out: expect.stringMatching(/✗ seal +step 3: /) })
})

test('what is no cassette cannot be judged', async () => {
  write('notes.md', 'no json')
  write('old.json', '{"version":1,"id":"a","createdAt":0,"steps":[]}')
  for (const file of ['notes.md', 'old.json', 'gone.json']) {
    const { code, out, err } = await run('assert', file, '--expect-status', 'success')
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^retake: /)
  }
})

test.each([
  [['--expect-status', 'ok'], 'the expectation status takes success, error, incomplete'],
  [['--expect-status', ''], 'the expectation status takes success, error, incomplete'],
])('%j is refused', async (argv, message) => {
  expect(await run('assert', booked, ...argv)).toEqual({ code: 2, out: '', err: `retake: ${message}\n` })
})

test.each([
  [['assert'], 'assert needs a cassette: retake assert <file>'],
  [['assert', 'a', 'b'], 'assert takes one cassette, not 2'],
  [['assert', 'a', '--expect-status'], '--expect-status needs a value'],
  [['assert', 'a', '--expect-answer', 'x'], 'assert has no flag --expect-answer'],
])('%j is a usage error', async (argv, message) => {
  expect(await run(...argv)).toEqual({ code: 2, out: '', err: `retake: ${message} (see retake assert --help)\n` })
})
