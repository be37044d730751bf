/**
 * Runs the suites of clients and session where nothing but loopback exists and no name resolves: in a network namespace of
 * its own. Where none can be made it says so, and the spy alone must do: it counts what leaves loopback either way.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const spy = pathToFileURL(join(root, 'test/support/outside-connections.ts')).href
const suites = process.argv.length > 2 ? process.argv.slice(2) : ['test/clients', 'test/session']

const inNamespace = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/** Undefined if a namespace can be made, else why not. */
function whyNoNamespace(): string | undefined {
  if (process.platform !== 'linux') return `${process.platform} has none`
  const { error, status, stderr } = spawnSync(inNamespace[0] ?? '', [...inNamespace.slice(1), 'true'])
  return error ? error.message : status === 0 ? undefined : String(stderr).trim()
}

/** Runs Node with the spy; what it saw, and the exit code. */
function runWithSpy(prefix: readonly string[], args: readonly string[], stdio: 'ignore' | 'inherit') {
  const folder = mkdtempSync(join(tmpdir(), 'retake-offline-'))
  const log = join(folder, 'connections')
  try {
    const [program = '', ...rest] = [...prefix, process.execPath, ...args]
    const env = { ...process.env, NODE_OPTIONS: `--import=${spy}`, OUTSIDE_CONNECTIONS: log }
    const { status } = spawnSync(program, rest, { cwd: root, stdio, env })
    return { status, outside: existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [] }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const reason = whyNoNamespace()
const prefix = reason === undefined ? inNamespace : []
console.log(`namespace: ${reason === undefined ? 'used' : `not used, ${reason}`}`)

// 192.0.2.1 belongs to nobody (RFC 5737).
const control = runWithSpy(prefix, ['-e', "require('net').connect(9, '192.0.2.1').on('error', () => {})"], 'ignore')
if (control.outside.length !== 1) throw new Error('the spy does not see a connection')

const { status, outside } = runWithSpy(prefix, ['node_modules/vitest/vitest.mjs', 'run', ...suites], 'inherit')
console.log(`connections and look-ups outside loopback: ${outside.length}`)
for (const where of new Set(outside)) console.log(`  ${where}`)
process.exitCode = status === 0 && outside.length === 0 ? 0 : 1
