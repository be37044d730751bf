import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
import { type ManyRun, type ManyRunResult, runMany } from '../../support/many-runs.ts'
import type { ModelProject } from '../../support/model-project.ts'
import { ask, obsoleteHead, obsoleteTests } from '../obsolete-tests.ts'

let project: ModelProject

const head = `import { describe, expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
${obsoleteHead}`
const tests = obsoleteTests('first')
// One worker: how they run does not matter here.
const files = {
  'agent.ts': `export const ask = ${ask}
`,
  'vitest.config.ts': `import { retake } from 'retake/vitest'
export default { plugins: [retake()], test: { isolate: false, maxWorkers: 1 } }
`,
  'a.test.ts': `${head}
${tests.a}`,
  'b.test.ts': `${head}
${tests.b}`,
  'c.test.ts': `${head}${tests.c}`,
}

const everything = [
  'a.test.ts/chosen',
  'a.test.ts/one',
  'a.test.ts/twin',
  'a.test.ts/twin.2',
  'a.test.ts/two',
  'b.test.ts/alpha',
  'b.test.ts/beta',
  'c.test.ts/gamma',
]
const two = 'a.test.ts/two'
const twin = 'a.test.ts/twin.2'
const gamma = 'c.test.ts/gamma'

const run = (form = '', args: string[] = [], more: ManyRun = {}): ManyRun => ({
  ...more,
  args,
  env: { FORM: form, ...more.env },
})

const listed = ({ stdout, stderr }: ManyRunResult, word = 'obsolete') =>
  [...(stdout + stderr).matchAll(new RegExp(`↳ ${word}  __cassettes__/(\\S+)\\.cassette\\.json`, 'g'))].map(
    ([, path]) => path,
  )

const cases: [title: string, form: string, args: string[], obsolete: string[]][] = [
  ['-t', 'without-two without-twin', ['-t', 'one'], [twin, two, gamma]],
  ['a file', 'without-two without-twin', ['b'], []],
  ['the file itself', 'without-two without-twin', ['a.test'], [twin, two]],
  ['.only', 'without-two without-twin unnamed only', [], [twin, two, gamma]],
  ['a test that is skipped', 'skip-two unnamed', ['a.test'], []],
  ['a file that cannot be loaded', 'broken plain-beta', [], [gamma]],
  // What did not run to its end is not judged.
  ['--bail', 'failing without-two plain-beta', ['--bail=1'], []],
  ['tests that use their cassette no more', 'unnamed plain-beta', [], ['a.test.ts/chosen', 'b.test.ts/beta', gamma]],
]
const path = '__cassettes__/a.test.ts'
const other = `${path}/other.cassette.json`

let recorded: ManyRunResult[]
let underCi: ManyRunResult[]
let filtered: ManyRunResult[]
let others: ManyRunResult[]

beforeAll(async () => {
  project = await createEchoProject(files)
  recorded = await runMany(project, [run(), run()])
  const json = ['--reporter=json', '--outputFile=report.json']
  underCi = await runMany(
    project,
    [run(), run('without-two', json, { remove: ['c.test.ts'] }), run('renamed', ['a.test'])],
    { CI: 'true' },
  )
  filtered = await runMany(
    project,
    cases.map(([, form, args]) => run(form, args, { remove: [other] })),
  )
  const blob = ['--reporter=default', '--reporter=blob']
  others = await runMany(project, [
    run('without-two without-twin', [], { remove: [other] }),
    run('without-two', [...blob, '--shard=1/2']),
    run('without-two', [...blob, '--shard=2/2']),
    run('', ['--merge-reports', '--reporter=default']),
    run('renamed', ['a.test']),
    run('without-two unnamed', ['-t', 'uses none'], {
      env: { RETAKE: 'update' },
      remove: [`${path}/first.cassette.json`],
    }),
    run('without-two unnamed', [], { env: { RETAKE: 'update' } }),
  ])
}, 240_000)
afterAll(() => project[Symbol.asyncDispose]())

test('a run that uses every cassette lists none', async () => {
  const [first, second] = recorded as [ManyRunResult, ManyRunResult]
  expect(first.cassettes).toEqual(everything)
  expect([listed(first), listed(second)]).toEqual([[], []])
  expect(second.stdout).toContain('\n  Cassettes  8 replayed\n')
  expect(underCi[0]?.stdout).toContain('\n  Cassettes  8 replayed\n')
  expect(underCi[0]?.exitCode).toBe(0)
})

test('cassettes of tests and files that are gone are listed and stay', async () => {
  const [gone] = others as [ManyRunResult]
  expect(gone.stdout).toContain(`
  Cassettes  5 replayed | 3 obsolete (8)
             ↳ obsolete  __cassettes__/a.test.ts/twin.2.cassette.json  (its test is gone)
             ↳ obsolete  __cassettes__/a.test.ts/two.cassette.json  (its test is gone)
             ↳ obsolete  __cassettes__/c.test.ts/gamma.cassette.json  (c.test.ts is gone)
             remove: npx retake prune
`)
  expect(gone.exitCode).toBe(0)
  expect(gone.cassettes).toEqual(everything)
})

test('under CI they fail the run, as obsolete snapshots do, and reports for programs stay clean', async () => {
  const [, report] = underCi as [ManyRunResult, ManyRunResult]
  expect(report.exitCode).toBe(1)
  expect(report.stdout).not.toContain('Cassettes')
  expect(JSON.parse((await project.files())['report.json'] ?? '')).toMatchObject({ success: true })
  expect(report.stderr).toContain('Cassettes  6 replayed | 2 obsolete (8)')
  expect(report.stderr).toContain('they fail the run under CI; remove: npx retake prune')
  expect(report.cassettes).toEqual(everything)
})

test.each(cases.map(([title, , , obsolete], n) => [title, obsolete, n] as const))(
  'the list is right with %s',
  (_, obsolete, n) => {
    const result = filtered[n] as ManyRunResult
    expect(listed(result)).toEqual(obsolete)
    expect(result.cassettes.filter((name) => name !== 'a.test.ts/other')).toEqual(everything)
  },
)

test('shards list nothing, and their merged report everything', () => {
  const [, one, two, merged] = others as [ManyRunResult, ManyRunResult, ManyRunResult, ManyRunResult]
  for (const shard of [one, two]) {
    expect(shard.stdout).toMatch(/Cassettes {2}\d replayed\n/)
    expect(shard.stdout).not.toContain('obsolete')
  }
  expect(merged.stdout).toContain('Cassettes  6 replayed | 2 obsolete (8)')
  expect(listed(merged)).toEqual(['a.test.ts/two', gamma])
})

test('a renamed test is recognised, recorded again or missing its cassette', () => {
  expect(underCi[2]?.stdout).toContain(`renamed?  npx retake mv ${path}/one.cassette.json ${path}/first.cassette.json`)
  expect(others[4]?.stdout).toContain(
    `renamed?  npx retake mv --force ${path}/one.cassette.json ${path}/first.cassette.json`,
  )
})

test('only an update removes, and only what is certain', () => {
  const [some, all] = others.slice(5) as [ManyRunResult, ManyRunResult]
  expect(some.stdout).toContain('Cassettes  2 removed')
  expect(listed(some, 'removed')).toEqual([two, gamma])
  expect(some.cassettes).toEqual(everything.filter((name) => name !== two && name !== gamma))
  expect(listed(all, 'removed')).toEqual(['a.test.ts/chosen'])
  expect(all.exitCode).toBe(0)
})

test('prune lists, then removes, but nothing that may be of a renamed test', async () => {
  await project.write({
    'retake.mjs': "import { main } from '@retake/cli'\nprocess.exitCode = await main(process.argv.slice(2))\n",
  })
  const prune = (form: string, ...args: string[]) =>
    project.run({ command: ['node', 'retake.mjs', 'prune', ...args], env: { FORM: form } })
  const listing = await prune('renamed plain-beta')
  expect(listing.stderr).toBe('')
  expect(
    listing.stdout,
  ).toBe(`renamed?  ${path}/one.cassette.json  (${path}/first.cassette.json is missing: npx retake mv)
obsolete  __cassettes__/b.test.ts/beta.cassette.json  (no test uses it)
1 cassette to remove, 1 kept: npx retake prune --yes
`)
  expect(listing.exitCode).toBe(1)
  const removal = await prune('plain-beta', '--yes')
  expect(removal.stdout).toBe(`removed   __cassettes__/b.test.ts/beta.cassette.json  (no test uses it)
1 cassette removed
`)
  expect(removal.exitCode).toBe(0)
  expect(Object.keys(await project.cassettes())).not.toContain('b.test.ts/beta.cassette.json')

  // No test ran: nothing is known of any cassette.
  const none = await prune('plain-beta', 'no-such-file')
  expect([none.exitCode, none.stdout]).toEqual([2, ''])
  expect(none.stderr).toContain('the tests could not be run to their end')
})
