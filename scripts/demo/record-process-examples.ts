import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { startFakeProvider } from '../../test/support/fake-provider/fake-provider.ts'
import { replies } from './shop-model.ts'

// Records the cassettes that are committed with the examples of node:test and Mocha.
const repository = resolve(import.meta.dirname, '../..')
await using provider = await startFakeProvider({ replies })
const env = {
  ...process.env,
  RETAKE: 'update',
  OPENAI_BASE_URL: `${provider.url}/v1`,
  OPENAI_API_KEY: 'key-of-the-fake-provider',
}
const runs = [
  ['examples/node-test', '--test'],
  ['examples/mocha', resolve(repository, 'node_modules/mocha/bin/mocha.js')],
] as const
for (const [folder, argument] of runs) {
  const child = spawn(process.execPath, [argument], { cwd: resolve(repository, folder), stdio: 'inherit', env })
  const [code] = await once(child, 'exit')
  process.exitCode ||= code
}
