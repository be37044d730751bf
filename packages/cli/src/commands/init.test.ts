import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runMain } from '../../test/run-main.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'retake-init-'))
  vi.stubEnv('NODE_OPTIONS', '')
  vi.stubEnv('npm_config_user_agent', 'npm/11.19.1 node/v24.21.0')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const write = (files: Record<string, string>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}
const files = (): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
const init = (...flags: string[]) => runMain(folder, ['init', ...flags])
const manifest = '{\n    "name": "shop"\n}'
const npmrcOfThisRepository = readFileSync(new URL('../../../../.npmrc', import.meta.url), 'utf8')

test('an empty project gets all of it, once', async () => {
  write({ 'package.json': manifest })
  const first = await init('--yes')
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(files()).toEqual({
    '.gitattributes': '*.cassette.json diff=retake merge=binary text eol=lf\n',
    '.gitignore': '*.take.json\n',
    '.npmrc': npmrcOfThisRepository,
    'greeting.test.mjs': expect.stringContaining('async function greet(name) {'),
    'package.json': '{\n    "name": "shop",\n    "scripts": {\n        "test": "vitest"\n    }\n}',
    'vitest.config.mjs': expect.stringContaining('plugins: [retake()]'),
  })
  const before = files()
  const second = await init('--yes')
  expect(second).toMatchObject({ code: 0, err: '' })
  expect(second.out).toContain('Everything is there already.')
  expect(files()).toEqual(before)
})

test('what a project has stays, and each change is shown as a difference', async () => {
  write({
    'package.json': '{ "scripts": { "test": "vitest run" }, "devDependencies": { "typescript": "^6.0.0" } }\n',
    'vite.config.ts': "import { defineConfig } from 'vite'\nexport default defineConfig({ test: {} })\n",
    '.gitattributes': '*.png binary\n*.cassette.json -diff\n',
    '.gitignore': 'node_modules',
    'sum.spec.ts': '',
  })
  const { out } = await init('--yes')
  expect(out).toBe(`
vite.config.ts  the plugin
   import { defineConfig } from 'vite'
  -export default defineConfig({ test: {} })
  +import { retake } from 'retake/vitest'
  +export default defineConfig({ plugins: [retake()], test: {} })
changed vite.config.ts

.npmrc  vitest --update-cassettes
  +${npmrcOfThisRepository.trim()}
created .npmrc

package.json  a script for the tests
  is there already

.gitattributes  cassettes are merged whole
  is there already

.gitignore  takes to review are not committed
   node_modules
  +*.take.json
changed .gitignore

Ready. The first run of a test with a cassette records it, later runs replay it: npx vitest run
`)
})

test('without a terminal and without --yes it shows what it would do', async () => {
  write({ 'package.json': manifest })
  const { code, out } = await init()
  expect(code).toBe(1)
  expect(out).toContain('+export default defineConfig({ plugins: [retake()] })')
  expect(out).toContain('Nothing was changed: this is no terminal to ask in.')
  expect(files()).toEqual({ 'package.json': manifest })
})

test('each change is asked for', async () => {
  write({ 'package.json': manifest })
  const asked = await runMain(folder, ['init'], 100, [true, false, false, true, true, true])
  expect(asked.code).toBe(1)
  expect(asked.out).toContain('2 steps are left to you.')
  expect(Object.keys(files())).toEqual([
    '.gitattributes',
    '.gitignore',
    'greeting.test.mjs',
    'package.json',
    'vitest.config.mjs',
  ])
  expect(files()['package.json']).toBe(manifest)
})

test('Ctrl-C stops it at once', async () => {
  write({ 'package.json': manifest })
  const { code, out } = await runMain(folder, ['init'], 100, [true, undefined, true])
  expect(code).toBe(1)
  expect(out).toContain('Stopped: nothing more was changed.')
  expect(Object.keys(files())).toEqual(['package.json', 'vitest.config.mjs'])
})

test.each([
  [{ '.npmrc': 'node_options = --no-warnings\n' }, {}, 'node-options is set there already'],
  [{}, { NODE_OPTIONS: '--max-old-space-size=8192' }, 'NODE_OPTIONS is set in your environment'],
  [{ 'pnpm-workspace.yaml': 'nodeOptions: --no-warnings\n' }, {}, 'nodeOptions is set there already'],
  [{ 'pnpm-workspace.yaml': 'a: [\n' }, {}, 'it is no valid YAML'],
])('the flag is refused where options are set already: %j %j', async (present, env, reason) => {
  write({ 'package.json': manifest, ...present })
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const { code, out } = await init('--yes')
  expect(code).toBe(1)
  expect(out).toContain(`left alone: ${reason}`)
  expect(out).toContain('npx retake vitest --update-cassettes')
  expect(files()).toMatchObject(present)
  if (!('.npmrc' in present)) expect(Object.keys(files())).not.toContain('.npmrc')
})

test('modules under Jest run with the line of npm, which replaces NODE_OPTIONS', async () => {
  const ofModules = '{ "type": "module", "devDependencies": { "jest": "^30.0.0" } }\n'
  write({ 'package.json': ofModules })
  await init('--yes')
  const line = npmrcOfThisRepository.replace('=', '=--experimental-vm-modules ')
  expect(files()['.npmrc']).toBe(line)
  expect((await init('--yes')).out).toContain('Everything is there already.')
  rmSync(join(folder, '.npmrc'))
  write({ 'babel.config.cjs': '' })
  await init('--yes')
  expect(files()['.npmrc']).toBe(npmrcOfThisRepository)
})

test('a user whose npm has the line already may run it through npx', async () => {
  write({ 'package.json': manifest })
  await init('--yes')
  rmSync(join(folder, '.gitignore'))
  vi.stubEnv('NODE_OPTIONS', npmrcOfThisRepository.trim().replace('node-options=', ''))
  expect((await init('--yes')).code).toBe(0)
})

test('pnpm keeps the line in the file of its workspace, beside what is there', async () => {
  write({ 'package.json': manifest, 'pnpm-workspace.yaml': '# ours\nallowBuilds:\n  node: true' })
  mkdirSync(join(folder, 'member'))
  writeFileSync(join(folder, 'member/package.json'), manifest)
  const { out } = await runMain(join(folder, 'member'), ['init', '--yes'])
  expect(out).toContain('../pnpm-workspace.yaml  vitest --update-cassettes')
  const text = readFileSync(join(folder, 'pnpm-workspace.yaml'), 'utf8')
  expect(text).toMatch(/^# ours\nallowBuilds:\n {2}node: true\nnodeOptions: "--import=data:.*"\n$/)
  expect((await runMain(join(folder, 'member'), ['init', '--yes'])).out).toContain('Everything is there already.')
})

test.each(['yarn', 'bun'])('with %s the flag works through a script', async (manager) => {
  write({ 'package.json': `{ "packageManager": "${manager}@1.0.0", "scripts": { "test": "vitest run" } }\n` })
  await init('--yes')
  expect(JSON.parse(files()['package.json'] ?? '').scripts).toEqual({
    test: 'retake vitest run',
    vitest: 'retake vitest',
  })
  expect(Object.keys(files())).not.toContain('.npmrc')
})

test.each([
  [undefined, 'there is no package.json here: run this in the folder of your project'],
  ['[]', 'package.json is no JSON object: nothing was changed'],
  ['{', 'package.json is no JSON object: nothing was changed'],
])('package.json %j: one sentence', async (text, sentence) => {
  if (text !== undefined) write({ 'package.json': text })
  expect(await init('--yes')).toEqual({ code: 2, out: '', err: `retake: ${sentence}\n` })
})

test('a project with Jest gets the environment, the reporter and a test of its module system', async () => {
  write({ 'package.json': '{ "devDependencies": { "jest": "^30.0.0" } }\n' })
  const first = await init('--yes')
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toContain('npx jest')
  expect(files()).toMatchObject({
    '.npmrc': npmrcOfThisRepository,
    'greeting.test.js': expect.stringContaining("require('retake/jest')"),
    'jest.config.js': expect.stringContaining("testEnvironment: 'retake/jest/node'"),
    'package.json': expect.stringContaining('"test": "jest"'),
  })
  expect((await init('--yes')).out).toContain('Everything is there already.')
})

test('a package.json that holds the Jest config is changed in one step', async () => {
  write({ 'package.json': '{\n  "jest": {\n    "verbose": true\n  }\n}\n', 'sum.test.js': '' })
  const { out } = await init('--yes')
  expect(out.match(/^package\.json /gm)).toHaveLength(1)
  const { 'package.json': manifest } = files()
  expect(JSON.parse(manifest ?? '')).toEqual({
    jest: {
      testEnvironment: 'retake/jest/node',
      reporters: ['default', 'retake/jest/reporter'],
      verbose: true,
    },
    scripts: { test: 'jest' },
  })
})
