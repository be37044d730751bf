import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runMain } from '../../test/run-main.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'retake-workspace-'))
  vi.stubEnv('NODE_OPTIONS', '')
  vi.stubEnv('npm_config_user_agent', '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

const write = (files: Record<string, string>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}
const has = (name: string): boolean => existsSync(join(root, name))
const read = (name: string): string => readFileSync(join(root, name), 'utf8')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root })
const initIn = (folder: string, ...flags: string[]) => runMain(join(root, folder), ['init', '--yes', ...flags])

const member = { 'packages/app/package.json': '{ "name": "app", "scripts": { "test": "vitest" } }\n' }

test('a member of an npm workspace: its own config, and the files of the root, which are npm’s and git’s', async () => {
  write({
    ...member,
    'package.json': '{ "workspaces": ["packages/*"], "devDependencies": { "vitest": "5", "typescript": "6" } }\n',
    'package-lock.json': '{}',
    '.npmrc': 'save-exact=true\n',
    '.gitignore': 'node_modules\n',
  })
  const before = read('package.json')
  const { code, out } = await initIn('packages/app')
  expect(code).toBe(0)
  expect(out).toContain('../../.npmrc  vitest --update-cassettes\n   save-exact=true\n  +node-options=')
  expect(out).toContain('changed ../../.gitignore')
  expect(out).toContain('created ../../.gitattributes')
  expect(out).toContain('created vitest.config.ts')
  expect(read('.npmrc')).toMatch(/^save-exact=true\nnode-options=--import=data:/)
  expect(read('.gitattributes')).toContain('*.cassette.json diff=retake')
  expect(read('.gitignore')).toBe('node_modules\n*.take.json\n')
  expect(read('package.json')).toBe(before)
  expect(['.npmrc', '.gitignore', '.gitattributes'].filter((name) => has(`packages/app/${name}`))).toEqual([])

  expect((await initIn('packages/app')).out).toContain('Everything is there already.')
  // The next member finds all of it.
  write({ 'packages/other/package.json': '{ "scripts": { "test": "vitest" } }\n', 'packages/other/a.test.ts': '' })
  const other = await initIn('packages/other')
  expect(other.out.match(/^(?:created|changed) .*/gm)).toEqual(['created vitest.config.ts'])
})

test('a member of a pnpm workspace that has files of its own keeps to them', async () => {
  write({
    ...member,
    'package.json': '{ "packageManager": "pnpm@12.0.0", "devDependencies": { "vitest": "5" } }\n',
    'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
    'packages/app/.gitignore': 'dist\n',
  })
  const { code, out } = await initIn('packages/app')
  expect(code).toBe(0)
  expect(out.match(/^(?:created|changed) .*/gm)).toEqual([
    'created vitest.config.mjs',
    'changed ../../pnpm-workspace.yaml',
    'created ../../.gitattributes',
    'changed .gitignore',
    'created greeting.test.mjs',
  ])
  expect(read('packages/app/.gitignore')).toBe('dist\n*.take.json\n')
  expect(has('.npmrc') || has('packages/app/.npmrc')).toBe(false)
  expect((await initIn('packages/app')).out).toContain('Everything is there already.')
})

test('a folder that the workspace does not name is a project of its own', async () => {
  write({
    'package.json':
      '{ "workspaces": { "packages": ["packages/*", "!packages/app"] }, "devDependencies": { "vitest": "5" } }',
    ...member,
  })
  await initIn('packages/app')
  expect(has('packages/app/.npmrc') && has('packages/app/.gitattributes')).toBe(true)
  expect(has('.npmrc')).toBe(false)
})

test('a member has the runner that its workspace has', async () => {
  write({
    'package.json': '{ "workspaces": ["packages/*"], "devDependencies": { "jest": "30", "ts-jest": "29" } }',
    'packages/app/package.json': '{}',
  })
  await initIn('packages/app')
  expect(read('packages/app/jest.config.js')).toContain('retake/jest/node')
  expect(has('packages/app/greeting.test.ts')).toBe(true)
})

test('a line for cassettes at the top of the repository is enough', async () => {
  git('init', '--quiet')
  write({ '.gitattributes': '*.cassette.json -diff\n', 'app/package.json': '{ "scripts": { "test": "vitest" } }' })
  const { out } = await initIn('app')
  expect(out).toContain('../.gitattributes  cassettes are merged whole\n  is there already')
  expect(has('app/.gitattributes')).toBe(false)
  expect(out).not.toContain('diff.retake.textconv')
})

test('the driver that .gitattributes names is told of, until this clone knows it', async () => {
  const command = '  git config diff.retake.textconv "npx --no-install retake textconv"\n'
  write({ 'package.json': '{}' })
  expect((await initIn('.')).out).not.toContain(command)
  git('init', '--quiet')
  expect((await initIn('.')).out).toContain(`once in each clone:\n${command}`)
  expect(git('config', '--local', '--list').toString()).not.toContain('textconv')
  git('config', 'diff.retake.textconv', 'npx --no-install retake textconv')
  expect((await initIn('.')).out).not.toContain('textconv')
})
