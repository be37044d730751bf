import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { startFakeProvider } from '../../test/support/fake-provider/fake-provider.ts'
import { replies } from './shop-model.ts'

// Records the cassettes that are committed with the example, where they differ from what its agents do now.
const repository = resolve(import.meta.dirname, '../..')
await using provider = await startFakeProvider({ replies })
const child = spawn(process.execPath, [resolve(repository, 'node_modules/vitest/vitest.mjs'), 'run'], {
  cwd: resolve(repository, 'examples/refund-agent-vitest'),
  stdio: 'inherit',
  env: {
    ...process.env,
    RETAKE: 'update',
    OPENAI_BASE_URL: `${provider.url}/v1`,
    OPENAI_API_KEY: 'key-of-the-fake-provider',
    ANTHROPIC_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: 'key-of-the-fake-provider',
  },
})
const [code] = await once(child, 'exit')
process.exitCode = code
