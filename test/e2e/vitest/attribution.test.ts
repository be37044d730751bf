import { expect, test } from 'vitest'
import { createEchoProject } from '../../support/echo-project.ts'

const offline = { CI: 'true', MODEL_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: '' }

test('50 concurrent tests, interleaved, record and replay without cross-talk', async () => {
  await using project = await createEchoProject({
    'many.test.ts': `import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectCassette, useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test.concurrent.each(Array.from({ length: 50 }, (_, n) => n))('number %i', async (n) => {
  const cassette = useCassette()
  for (const turn of [1, 2, 3]) {
    await wait((n * 7 + turn * 5) % 11)
    expect(await ask('turn ' + turn + ' of ' + n)).toBe('turn ' + turn + ' of ' + n + ', really?')
  }
  expectCassette(cassette).toHaveModelCalls(3)
})
`,
    'vitest.config.ts': `import { retake } from 'retake/vitest'
export default { plugins: [retake()], test: { maxConcurrency: 50 } }
`,
  })
  expect((await project.run()).stdout).toContain('Cassettes  50 recorded')
  for (const [path, text] of Object.entries(await project.cassettes())) {
    const number = /number-(\d+)/.exec(path)?.[1]
    expect(new Set(text.match(/of \d+/g))).toEqual(new Set([`of ${number}`]))
  }
  const { exitCode, stdout } = await project.run({ env: offline })
  expect(stdout).toContain('Cassettes  50 replayed')
  expect(exitCode).toBe(0)
})

test('calls of a server from beforeAll belong to the test that runs alone, and to no one of several', async () => {
  const server = `import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
const server = createServer(async (request, response) => {
  response.end(await ask(decodeURIComponent(request.url.slice(1))).catch((error) => 'failed: ' + error.message))
})
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => server.close())
const visit = async (path) => (await fetch('http://127.0.0.1:' + server.address().port + '/' + path)).text()
useCassette()
`
  await using project = await createEchoProject({
    'alone.test.ts': `${server}
test.each(['one', 'two', 'three'])('asks %s', async (word) => {
  expect(await visit(word)).toBe(word + ', really?')
})
`,
    'together.test.ts': `${server}
test.concurrent.each(['left', 'right'])('asks %s', async (side) => {
  await visit(side)
  await new Promise((done) => setTimeout(done, 300))
})
`,
  })
  const first = await project.run()
  expect(first.stdout).toContain('Cassettes  2 failed | 3 recorded')
  expect(first.stderr.match(/^UnattributedRequestError: /gm)?.length).toBeGreaterThan(0)
  expect(first.stderr).toMatch(/FAIL +together\.test\.ts > asks left/)
  expect(first.stderr).toMatch(/FAIL +together\.test\.ts > asks right/)
  expect(Object.keys(await project.cassettes())).toEqual([
    'alone.test.ts/asks-one.cassette.json',
    'alone.test.ts/asks-three.cassette.json',
    'alone.test.ts/asks-two.cassette.json',
  ])
  expect(project.provider.requests).toHaveLength(3)
  const { exitCode, stdout } = await project.run({ command: ['vitest', 'run', 'alone'], env: offline })
  expect(stdout).toContain('Cassettes  3 replayed')
  expect(exitCode).toBe(0)
})

test('a process that is killed leaves the file as it was', async () => {
  await using project = await createEchoProject({
    'slow.test.ts': `import { test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { ask } from './agent.ts'
test('asks', async () => {
  useCassette()
  await ask('Hello')
  if (process.env.RETAKE === 'update') await ask('Take your time')
})
`,
  })
  await project.run()
  const before = await project.files()
  const kill = new AbortController()
  const watch = setInterval(() => {
    if (project.provider.requests.some(({ text }) => text.includes('Take your time'))) kill.abort()
  }, 20)
  const { exitCode } = await project.run({ env: { RETAKE: 'update' }, signal: kill.signal })
  clearInterval(watch)
  expect(exitCode).toBe(null)
  expect(await project.files()).toEqual(before)
})
