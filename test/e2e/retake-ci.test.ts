import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createFailingProject } from '../support/failing-project.ts'

const source = new URL('../../packages/cli/src/index.ts', import.meta.url).href
const program = `const { main } = await import(${JSON.stringify(source)}); process.exitCode = await main(process.argv.slice(1))`
const vitest = resolve(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')

test('one command runs the tests and checks every cassette, with one exit code', async () => {
  await using project = await createFailingProject()
  const ci = (args: string[] = [], options: { env?: Record<string, string>; command?: string[] } = {}) =>
    project.run({
      command: [
        'node',
        '--input-type=module',
        '-e',
        program,
        'ci',
        ...args,
        '--',
        ...(options.command ?? [process.execPath, vitest, 'run', 'refund']),
      ],
      ...(options.env && { env: options.env }),
    })
  // Nothing is recorded here, with or without CI in the environment.
  const missing = await ci()
  expect(missing.exitCode).toBe(1)
  expect(missing.stdout).toMatch(/✗ tests {5}.* ended with 1\n– verify {4}there is no cassette below this folder/)
  await project.run({ command: ['vitest', 'run', 'refund'] })

  const good = await ci()
  expect([good.exitCode, good.stdout]).toEqual([
    0,
    expect.stringContaining(
      [
        '✓ tests     passed',
        '✓ verify    1 cassette verifies',
        '✓ secrets   no key found',
        '✓ obsolete  every cassette is used',
        '✓ unused    every recorded request was made',
      ].join('\n'),
    ),
  ])

  const path = 'test/__cassettes__/refund.test.ts/refunds-a-late-order.cassette.json'
  const text = await readFile(join(project.folder, path), 'utf8')
  // What does not verify is searched for keys all the same, by line where it is no cassette any more.
  const key = `sk-proj-${'a1B2'.repeat(10)}`
  await project.write({
    'test/__cassettes__/gone.test.ts/edited.cassette.json': text.replace('A-77', key),
    'test/__cassettes__/gone.test.ts/cut.cassette.json': `{\n"text": "${key}`,
  })
  const failed = await ci(['--json'], { env: { CHANGE: 'prompt' } })
  const { pass, exitCode, checks } = JSON.parse(failed.stdout)
  expect([failed.exitCode, pass, exitCode]).toEqual([1, false, 1])
  expect(checks.map(({ name, status }: { name: string; status: string }) => `${name} ${status}`)).toEqual([
    'tests fail',
    'verify fail',
    'secrets fail',
    'obsolete pass',
    'unused pass',
  ])
  expect(checks[1]).toMatchObject({
    detail: '2 of 3 cassettes do not verify',
    found: [expect.stringContaining('cut.cassette.json'), expect.stringContaining('edited.cassette.json  seal: ')],
  })
  expect(checks[2].found).toEqual([
    expect.stringMatching(/cut\.cassette\.json {2}line 2: sk-proj$/),
    expect.stringMatching(/edited\.cassette\.json {2}line \d+: sk-proj$/),
  ])
  expect(failed.stdout + failed.stderr).not.toContain(key)
  expect(failed.stderr).toContain('differs from the cassette in its system prompt')

  const nothing = await ci([], { command: [process.execPath, '-e', 'process.exit(7)'] })
  expect(nothing.exitCode).toBe(7)
  expect(nothing.stdout).toContain('– obsolete  not known: no runner with cassettes told of its run')
  const unknown = await ci([], { command: ['no-such-program'] })
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, 'retake: there is no command "no-such-program"\n'])
})
