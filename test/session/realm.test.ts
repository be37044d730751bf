import { createContext, runInContext } from 'node:vm'
import { type Cassette, installSeam } from '@retake/session'
import { afterEach, expect, test } from 'vitest'
import { chatReply } from '../support/fake-provider/chat.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { recordAndReplay } from './record-and-replay.ts'
import { chatRequest } from './sdk-clients.ts'

/** Globals as Jest gives them to a test file: the language is its own, `fetch` is that of the process. */
const createRealm = () => {
  const context = createContext({ fetch, URL })
  return { globals: runInContext('globalThis', context), run: <T>(code: string): T => runInContext(code, context) }
}

afterEach(() => installSeam())

test('a request of other globals is recorded and replayed, also above an MSW of theirs', async () => {
  const { globals, run } = createRealm()
  installSeam(globals)
  run('var seen = 0; const below = fetch; fetch = (...args) => { seen += 1; return below(...args) }')
  run('globalThis[Symbol.for("fetch-interceptor")] = true')
  const ask = run<(url: URL, body: string) => Promise<Response>>(
    "(url, body) => fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })",
  )
  const { replayed, requests } = await recordAndReplay([chatReply({ content: 'Hello.' })], async (url) => {
    const response = await ask(new URL(`${url}/v1/chat/completions`), JSON.stringify(chatRequest('Hi')))
    return (await response.json()).choices[0].message.content
  })
  expect(replayed).toMatchObject({ value: 'Hello.', result: { kind: 'replayed', replayedCalls: 1 } })
  expect(requests).toBe(1)
  expect(run('seen')).toBe(0)
})

test('a replayed tool gives and throws what its caller can tell apart', async () => {
  const { globals, run } = createRealm()
  installSeam(globals)
  const tools = run<{ find: (input: object) => Promise<object>; fail: () => Promise<never> }>(
    '({ find: async ({ n }) => ({ list: [n] }), fail: async () => { throw new RangeError("none") } })',
  )
  const agent = run<(cassette: Cassette, own: typeof tools) => Promise<unknown[]>>(`(async (cassette, own) => {
    const { find, fail } = cassette.tools(own)
    const found = await find({ n: 1 })
    const error = await fail().catch((error) => error)
    return [found instanceof Object, found.list instanceof Array, error instanceof RangeError, error.message]
  })`)
  const { recorded, replayed } = await recordAndReplay([], (_url, cassette) => agent(cassette, tools))
  expect(recorded.value).toEqual([true, true, true, 'none'])
  expect(replayed.value).toEqual(recorded.value)
})

test('the clock of a test is that of its globals too', async () => {
  const { globals, run } = createRealm()
  installSeam(globals)
  const own = run('Date')
  const noon = new Date('2024-02-29T12:00:00Z')
  await using file = await temporaryCassette()
  const look = run<() => unknown>('(() => [Date.now(), new Date().toISOString(), new Date() instanceof Date])')
  const { value } = await inTest(file.path, { clock: noon, script: [] }, async () => look())
  expect([...(value as unknown[])]).toEqual([noon.getTime(), noon.toISOString(), true])
  expect(run('Date')).toBe(own)
})
