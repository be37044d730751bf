/**
 * npm run compat [-- --short] [vitest filters]
 * Runs the suites that record and replay under each Node that retake supports. `--short`: the clients that know HTTP only,
 * under the two that the repository does not run on itself.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({ options: { short: { type: 'boolean' } }, allowPositionals: true })

// The package `node` under its names in the development dependencies; `node` itself is the one npm scripts run on.
const nodes = values.short ? ['node22', 'node26'] : ['node22', 'node', 'node26']
const suites = values.short ? ['test/clients/http-clients'] : ['test/clients', 'test/coexistence', 'test/session']
const filters = positionals.length > 0 ? positionals : suites

/** Whether all tests pass under this Node. */
function passesUnder(name: string): boolean {
  const node = join(root, 'node_modules', name, 'bin/node')
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout
  console.log(`== Node ${version.trim()}`)
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=dot', ...filters]
  return spawnSync(node, args, { cwd: root, stdio: 'inherit' }).status === 0
}

const failed = nodes.filter((name) => !passesUnder(name))
if (failed.length > 0) console.log(`failed under ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
