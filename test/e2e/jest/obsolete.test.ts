import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJestEchoProject } from '../../support/jest-project.ts'
import { type ManyRun, type ManyRunResult, runMany } from '../../support/many-runs.ts'
import type { ModelProject } from '../../support/model-project.ts'
import { ask, obsoleteHead, obsoleteTests } from '../obsolete-tests.ts'

const head = `const { useCassette } = require('retake/jest')
const ask = ${ask}
${obsoleteHead}`
const tests = obsoleteTests('ones')
const files = {
  'a.test.js': `${head}
${tests.a}`,
  'b.test.js': `${head}
${tests.b}`,
  'c.test.js': `${head}${tests.c}`,
  // The file runs in both, and only one of them uses its second cassette.
  'jest.config.json': JSON.stringify({
    reporters: ['default', 'retake/jest/reporter'],
    projects: ['x', 'y'].map((displayName) => ({
      displayName,
      testEnvironment: 'retake/jest/node',
      transform: {},
      globals: { project: displayName },
      testMatch: ['<rootDir>/*.test.js'].concat(displayName === 'y' ? ['!**/a.test.js', '!**/c.test.js'] : []),
    })),
  }),
}

const everything = [
  'a.test.js/chosen',
  'a.test.js/one',
  'a.test.js/twin',
  'a.test.js/twin.2',
  'a.test.js/two',
  'b.test.js/alpha',
  'b.test.js/beta',
  'c.test.js/gamma',
]
const two = 'a.test.js/two'
const twin = 'a.test.js/twin.2'
const gamma = 'c.test.js/gamma'

const listed = ({ stderr }: ManyRunResult, word = 'obsolete') =>
  [...stderr.matchAll(new RegExp(`↳ ${word}  __cassettes__/(\\S+)\\.cassette\\.json`, 'g'))].map(([, path]) => path)

const cases: [title: string, form: string, args: string[], obsolete: string[]][] = [
  ['-t', 'without-two without-twin', ['-t', 'one'], [twin, two, gamma]],
  ['a file', 'without-two without-twin', ['b.test'], []],
  ['the file itself', 'without-two without-twin', ['a.test'], [twin, two]],
  ['--runTestsByPath', 'without-two', ['--runTestsByPath', 'a.test.js'], [two]],
  ['--findRelatedTests', 'without-two', ['--findRelatedTests', 'a.test.js'], [two]],
  ['--selectProjects', 'without-two plain-beta', ['--selectProjects', 'y'], []],
  ['--shard', 'without-two plain-beta', ['--shard=1/2'], []],
  ['test.only', 'without-two without-twin unnamed only', [], [twin, two, gamma]],
  ['a test that is skipped', 'skip-two unnamed', ['a.test'], []],
  ['a file that cannot be loaded', 'broken plain-beta', [], [gamma]],
  ['a test that fails', 'failing without-two unnamed', ['a.test'], [two]],
  ['tests that use their cassette no more', 'unnamed plain-beta', [], ['a.test.js/chosen', 'b.test.js/beta', gamma]],
]
const path = '__cassettes__/a.test.js'
const remove = [`${path}/other.cassette.json`]

let project: ModelProject
let filtered: ManyRunResult[]
let others: ManyRunResult[]

beforeAll(async () => {
  project = await createJestEchoProject({ jest: 30 }, files)
  const [first, , ...rest] = await runMany(
    project,
    [
      {},
      { remove: ['c.test.js'] },
      ...cases.map(([, form, args]): ManyRun => ({ env: { FORM: form }, args, remove })),
      { args: ['a.test', '--ci'], env: { FORM: 'renamed' }, remove },
      { args: ['a.test'], env: { FORM: 'renamed' } },
      { args: ['-t', 'uses none', '-u'], env: { FORM: 'without-two unnamed' } },
      { args: ['-t', 'uses none'], env: { FORM: 'without-two unnamed', RETAKE: 'update' } },
    ],
    {},
    'jest',
  )
  filtered = rest.slice(0, cases.length)
  others = rest.slice(cases.length)
  expect(first?.cassettes).toEqual(everything)
  expect(first?.stderr).not.toContain('obsolete')
}, 240_000)
afterAll(() => project[Symbol.asyncDispose]())

test.each(cases.map(([title, , , obsolete], n) => [title, obsolete, n] as const))(
  'the list is right with %s',
  (_, obsolete, n) => {
    const result = filtered[n] as ManyRunResult
    expect(listed(result)).toEqual(obsolete)
    expect(result.cassettes.filter((name) => name !== 'a.test.js/other')).toEqual(everything)
  },
)

test('a renamed test is recognised, missing its cassette or recorded again', () => {
  const [missing, recorded] = others as [ManyRunResult, ManyRunResult]
  expect(missing.stderr).toContain(
    `expected  ${path}/ones.cassette.json\n      closest   ${path}/one.cassette.json\n\n      Record it on your machine and commit the file:  npx retake jest a.test.js\n      Did the test get another name?  npx retake mv ${path}/one.cassette.json ${path}/ones.cassette.json`,
  )
  expect(missing.stderr).toContain(`renamed?  npx retake mv ${path}/one.cassette.json ${path}/ones.cassette.json`)
  expect(recorded.stderr).toContain(
    `renamed?  npx retake mv --force ${path}/one.cassette.json ${path}/ones.cassette.json`,
  )
})

test('only an update of cassettes removes, and only what is certain', () => {
  const [snapshots, update] = others.slice(2) as [ManyRunResult, ManyRunResult]
  expect(snapshots.cassettes).toEqual(expect.arrayContaining(everything))
  expect(listed(update, 'removed')).toEqual(['a.test.js/ones', two, gamma])
  expect(update.cassettes).not.toContain(two)
})

test('--bail judges nothing that did not run', async () => {
  const { stderr, exitCode } = await project.run({
    command: ['jest', '--bail=1', '--runInBand', 'a.test', 'b.test'],
    env: { FORM: 'failing plain-beta' },
  })
  expect(exitCode).toBe(1)
  expect(stderr).toContain('● uses none')
  expect(stderr).not.toContain('obsolete  __cassettes__/a.test.js/chosen')
})
