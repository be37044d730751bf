/**
 * npm run compat [-- --short] [vitest filters]
 * Runs the suites that record and replay under each Node that retake supports, then a test that uses the packed package
 * under each Node with each Vitest, and the suites about the runner with the oldest Vitest. `--short`: the clients that know HTTP only, under the two that the repository does not
 * run on itself.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { replayAsStranger, runAsStranger } from './pack-check/run-as-stranger.ts'

const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({ options: { short: { type: 'boolean' } }, allowPositionals: true })

// The package `node` under its names in the development dependencies; `node` itself is the one npm scripts run on.
const nodes = values.short ? ['node22', 'node26'] : ['node22', 'node', 'node26']
const suites = values.short ? ['test/clients/http-clients'] : ['test/clients', 'test/coexistence', 'test/session']
const filters = positionals.length > 0 ? positionals : suites

const programOf = (name: string): string => join(root, 'node_modules', name, 'bin/node')

/** Whether all tests pass under this Node. */
function passesUnder(name: string): boolean {
  const node = programOf(name)
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout
  console.log(`== Node ${version.trim()}`)
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=dot', ...filters]
  return spawnSync(node, args, { cwd: root, stdio: 'inherit' }).status === 0
}

const { vite, openai, vitest } = manifest.devDependencies

/** @throws Error with the output of the run that failed */
async function checkWithVitest(version: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'retake-compat-'))
  try {
    await runAsStranger(root, `npm pack -w retake --pack-destination ${directory}`)
    const [tarball = ''] = globSync('*.tgz', { cwd: directory })
    const devDependencies = { vitest: version, vite, openai }
    const project = { name: 'stranger', private: true, type: 'module', devDependencies, overrides: { vite } }
    await writeFile(join(directory, 'package.json'), JSON.stringify(project))
    for (const file of ['agent.test.ts', 'vitest.config.ts']) {
      await cp(join(root, 'test/stranger', file), join(directory, file))
    }
    await runAsStranger(directory, `npm install --prefer-offline --no-audit --no-fund ./${tarball}`)
    for (const name of nodes) {
      console.log(`== Vitest ${version}, ${name}`)
      await rm(join(directory, '__cassettes__'), { recursive: true, force: true })
      await replayAsStranger(directory, programOf(name))
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Suites about what the runner itself does: titles, obsolete cassettes, filters, shards, watch mode. */
const ofTheRunner = ['accounting', 'watch', 'ci', 'progress', 'notices'].map((name) => `test/e2e/vitest/${name}`)

/** Whether they pass with another Vitest, which is installed where projects under test find it first. */
async function passesWithVitest(version: string): Promise<boolean> {
  const folder = join(root, 'test/.tmp', `vitest-${version.replace(/[^\d.]/g, '')}`)
  await mkdir(folder, { recursive: true })
  const project = { private: true, type: 'module', devDependencies: { vitest: version, vite } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(project))
  await runAsStranger(folder, 'npm install --prefer-offline --no-audit --no-fund')
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=dot', ...ofTheRunner]
  const env = { ...process.env, RETAKE_TEST_VITEST: folder }
  try {
    return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status === 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const failed = nodes.filter((name) => !passesUnder(name))
if (failed.length > 0) console.log(`failed under ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

if (!values.short && positionals.length === 0) {
  for (const version of ['~4.1.0', vitest]) await checkWithVitest(version)
  if (!(await passesWithVitest('~4.1.0'))) process.exitCode = 1
}
