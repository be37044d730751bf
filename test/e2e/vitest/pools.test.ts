import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'
import type { ModelProject } from '../../support/model-project.ts'

const files = {
  'a-replays.test.ts': `import { request } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
const post = async (content) => {
  const sent = request(process.env.MODEL_URL + '/chat/completions', { method: 'POST' })
  sent.end(JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content }] }))
  const [response] = await once(sent, 'response')
  return JSON.parse((await response.toArray()).join('')).choices[0].message.content
}
test('asks through both layers', async () => {
  useCassette()
  expect(await ask('over fetch')).toBe('over fetch, really?')
  expect(await post('over http')).toBe('over http, really?')
})
`,
  'b-has-none.test.ts': `import dns from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { get } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
const server = createServer((_, response) => response.end('real'))
const { lookup } = dns
beforeAll(async () => {
  dns.lookup = (host, ...rest) => lookup(host === 'shop.example' ? '127.0.0.1' : host, ...rest)
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  dns.lookup = lookup
  server.closeAllConnections()
  server.close()
})
const visit = async () => {
  const [response] = await once(get('http://shop.example:' + server.address().port), 'response')
  return String(await response.toArray())
}
let before
beforeAll(async () => {
  before = await visit()
})
test('reaches what it likes', async () => {
  const source = globalThis.__MSW_INTERCEPTORS_REGISTRY?.get(Symbol.for('node-http-request-source'))
  expect(source?.readyState).not.toBe('ACTIVE')
  expect([before, await visit()]).toEqual(['real', 'real'])
})
`,
  'vitest.config.ts': `import { retake } from 'retake/vitest'
import { BaseSequencer } from 'vitest/node'
class InOrder extends BaseSequencer {
  sort = async (files) => files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
}
export default { plugins: [retake()], test: { fileParallelism: false, sequence: { sequencer: InOrder } } }
`,
}

let project: ModelProject
beforeAll(async () => {
  project = await createEchoProject(files)
  expect((await project.run()).stdout).toContain('Cassettes  1 recorded')
}, 60_000)
afterAll(() => project[Symbol.asyncDispose]())

test.each([['--pool=vmThreads'], ['--pool=threads', '--no-isolate'], ['--pool=forks', '--no-isolate']])(
  'a file with a cassette leaves nothing to the next: %s %s',
  async (...pool) => {
    const sent = project.provider.requests.length
    const { exitCode, stdout, stderr } = await project.run({
      command: ['vitest', 'run', ...pool.filter(Boolean)],
      env: { CI: 'true', MODEL_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: '' },
    })
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Cassettes  1 replayed')
    expect(stdout).toContain('Tests  2 passed (2)')
    expect(project.provider.requests).toHaveLength(sent)
  },
)

test('retake/vitest may be imported by a test that runs, but where that would load it into another realm', async () => {
  await using project = await createEchoProject({
    'late.test.ts': `import { expect, test } from 'vitest'
import { ask } from './agent.ts'
test('imports it itself', async () => {
  const { useCassette } = await import('retake/vitest')
  useCassette()
  expect(await ask('late')).toBe('late, really?')
})
`,
  })
  expect((await project.run()).stdout).toContain('Cassettes  1 recorded')
  const replayed = await project.run({ env: { MODEL_URL: 'http://127.0.0.1:9/v1' } })
  expect(replayed.stdout).toContain('Cassettes  1 replayed')
  const { exitCode, stderr } = await project.run({ command: ['vitest', 'run', '--pool=vmThreads'] })
  expect(exitCode).toBe(1)
  expect(stderr).toContain('ConfigError: retake/vitest was imported while a test ran')
  expect(stderr).toContain('Import it at the top of the test file.')
})

test('what a test does after its end fails the file under the name of that test, and no other test', async () => {
  await using project = await createEchoProject({
    'late.test.ts': `import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('the hasty one', async () => {
  useCassette()
  await ask('in time')
  if (process.env.HASTY) void wait(50).then(() => connect(5432, 'db.shop.example').on('error', () => {}))
})
test('the next one', async () => {
  useCassette()
  await ask('next')
  await wait(150)
})
`,
  })
  await project.run()
  const { exitCode, stdout, stderr } = await project.run({ env: { HASTY: '1' } })
  expect(exitCode).toBe(1)
  expect(stdout).toContain('Tests  2 passed (2)')
  expect(stdout).toContain('Cassettes  2 replayed')
  expect(stderr).toContain('the test "the hasty one" opened a connection to db.shop.example:5432 after it had ended')
  expect(stderr).not.toMatch(/FAIL .*the next one/)
})
