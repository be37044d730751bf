import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findViolations, rooms } from './support/boundaries.ts'

const root = join(import.meta.dirname, '..')

test('the analysis half reaches no network, no SDK and no session, and packages keep to the floor plan', () => {
  expect(findViolations(root)).toEqual([])
})

test('the floor plan names every package', async () => {
  expect(Object.keys(rooms).sort()).toEqual((await readdir(join(root, 'packages'))).sort())
})

test('the published package declares exactly what its parts depend on, in the same ranges', async () => {
  const read = async (name: string) => JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8'))
  const parts = await Promise.all(Object.keys(rooms).map(async (name) => (name === 'retake' ? {} : await read(name))))
  const merged = (member: string) => Object.assign({}, ...parts.map((part) => part[member]))
  const thirdParty = Object.entries(merged('dependencies')).filter(([name]) => !name.startsWith('@retake/'))
  const published = await read('retake')
  expect(published.dependencies).toEqual(Object.fromEntries(thirdParty))
  for (const part of parts) expect(merged('dependencies')).toMatchObject(part.dependencies ?? {})
})

describe('in a planted repository', () => {
  const plan = {
    trace: { mayImport: [], analysis: true, disk: ['cassette-disk.ts'] },
    report: { mayImport: ['trace'], analysis: true, disk: false },
    session: { mayImport: ['trace'], analysis: false, disk: true },
  }
  const manifest = (name: string, dependencies: object) =>
    JSON.stringify({ name, type: 'module', exports: './src/index.ts', dependencies })
  const sound: Record<string, string> = {
    'packages/trace/package.json': manifest('@retake/trace', {}),
    'packages/trace/src/index.ts': "export * from './cassette-disk.ts'\n",
    'packages/trace/src/cassette-disk.ts': "export { readFile } from 'node:fs/promises'\n",
    'packages/report/package.json': manifest('@retake/report', { '@retake/trace': '*', lib: '*' }),
    'packages/report/src/index.ts': "import '@retake/trace'\nimport 'lib'\nimport type { Server } from 'node:http'\n",
    'packages/session/package.json': manifest('@retake/session', { '@retake/trace': '*' }),
    'packages/session/src/index.ts': "import 'node:net'\nexport const send = fetch\n",
    'node_modules/lib/package.json': '{ "name": "lib", "main": "index.js" }',
    'node_modules/lib/index.js': "const api = { fetch: 1 }\nmodule.exports = require('./part.js')\n",
    'node_modules/lib/part.js': "exports.word = 'fetch'\n",
  }

  const violations = async (changes: Record<string, string>) => {
    const planted = await mkdtemp(join(tmpdir(), 'retake-boundaries-'))
    for (const [path, text] of Object.entries({ ...sound, ...changes })) {
      await mkdir(dirname(join(planted, path)), { recursive: true })
      await writeFile(join(planted, path), text)
    }
    await mkdir(join(planted, 'node_modules/@retake'))
    for (const name of Object.keys(plan)) {
      await symlink(join(planted, 'packages', name), join(planted, 'node_modules/@retake', name), 'dir')
    }
    return findViolations(planted, plan)
  }

  test('a sound one has no violation', async () => {
    expect(await violations({})).toEqual([])
  })

  const report = 'packages/report/src/index.ts'
  const trace = 'packages/trace/src/cassette-disk.ts'
  test.each([
    [
      'a network module',
      { [trace]: "import { get } from 'node:https'" },
      'trace reaches node:https: packages/trace/src/index.ts → packages/trace/src/cassette-disk.ts',
    ],
    ['a network module without its prefix', { [trace]: "import { connect } from 'net'" }, 'trace reaches net'],
    [
      'a network module through another package of ours',
      { [trace]: "import 'node:dns/promises'" },
      'report reaches node:dns/promises',
    ],
    [
      'a network module deep in a library',
      { 'node_modules/lib/part.js': "require('node:tls')" },
      'report reaches node:tls: packages/report/src/index.ts → node_modules/lib/index.js → node_modules/lib/part.js',
    ],
    ['a dynamic import', { [trace]: "export const late = () => import('node:http2')" }, 'trace reaches node:http2'],
    [
      'an import of a computed name',
      { [trace]: 'export const late = (name: string) => import(name)' },
      'trace reaches import(…) of a computed name',
    ],
    ['a call of fetch', { [report]: "export const load = () => fetch('http://localhost')" }, 'report reaches fetch'],
    ['fetch of the global object', { [report]: 'export const load = globalThis.fetch' }, 'report reaches fetch'],
    [
      'a built-in got at run time',
      { [report]: "process.getBuiltinModule('node:net')" },
      'report reaches process.getBuiltinModule',
    ],
    ['the session', { [report]: "import '@retake/session'" }, 'report reaches @retake/session'],
    ['an SDK', { [report]: "import OpenAI from 'openai'" }, 'report reaches openai'],
    [
      'an interceptor library',
      { [report]: "import '@mswjs/interceptors/http'" },
      'report reaches @mswjs/interceptors/http',
    ],
    [
      'an edge that the plan does not have',
      { [trace]: "import '@retake/report'" },
      'packages/trace/src/cassette-disk.ts imports @retake/report, which it may not',
    ],
    [
      'a way round the entry of another package',
      { [report]: "import '../../trace/src/cassette-disk.ts'" },
      'packages/report/src/index.ts leaves its package by ../../trace/src/cassette-disk.ts',
    ],
    [
      'a library that is not declared',
      { [trace]: "import 'lib'" },
      'packages/trace/src/cassette-disk.ts imports lib, which its package.json does not declare',
    ],
    ['the disk', { [report]: "import 'node:fs'" }, 'packages/report/src/index.ts uses node:fs, which it may not'],
    [
      'the disk outside the file for it',
      { 'packages/trace/src/other.ts': "import 'node:fs'" },
      'packages/trace/src/other.ts uses node:fs, which it may not',
    ],
    [
      'a loader of other code',
      { [report]: "import { createRequire } from 'node:module'" },
      'packages/report/src/index.ts uses node:module, which hides imports',
    ],
  ])('%s is found', async (_, changes, violation) => {
    expect(await violations(changes)).toContainEqual(expect.stringContaining(violation))
  })
})
