import { setTimeout as pause } from 'node:timers/promises'
import { createScope, endScope, openCassette, runInScope, takeLateErrors } from '@retake/session'
import axios from 'axios'
import { expect, test } from 'vitest'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { aliasHost } from '../support/host-alias.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { outcomeOf } from './record-and-replay.ts'
import { host } from './through-http.ts'

const clients: Record<string, (url: string) => Promise<unknown>> = {
  fetch: async (url) => (await fetch(url)).text(),
  axios: async (url) => (await axios.get(url, { responseType: 'text' })).data,
}

test.each(Object.entries(clients))('twenty tests at once keep their requests over %s apart', async (_, send) => {
  await using server = await startFakeProvider({ other: ({ url }) => ({ body: `"${url}"`, waitMs: 5 }) })
  const files = await Promise.all(Array.from({ length: 20 }, () => temporaryCassette()))
  const all = () =>
    Promise.all(
      files.map(({ path }, n) =>
        inTest(path, { label: `test ${n}` }, async () => {
          const urls = [1, 2, 3].map((k) => `http://${host}:${server.port}/${n}/${k}`)
          return await Promise.all(urls.map(send))
        }),
      ),
    )
  const expected = files.map((_, n) => [1, 2, 3].map((k) => `"/${n}/${k}"`))
  const record = async () => {
    using _ = aliasHost(host)
    return await all()
  }
  const recorded = await record()
  expect(recorded.map(({ value }) => value)).toEqual(expected)
  expect(recorded.flatMap(({ result }) => result.errors)).toEqual([])
  expect(server.requests).toHaveLength(60)
  await server.stop()
  const replayed = await all()
  expect(replayed.map(({ value }) => value)).toEqual(expected)
  expect(replayed.flatMap(({ result }) => result.errors)).toEqual([])
  for (const file of files) await file[Symbol.asyncDispose]()
})

test.each(Object.entries(clients))(
  'a request over %s after its test has ended fails under its name',
  async (_, send) => {
    await using file = await temporaryCassette()
    await using server = await startFakeProvider({ other: { body: '"late"' } })
    using _alias = aliasHost(host)
    let late: Promise<unknown> = Promise.resolve()
    await inTest(file.path, { label: 'the hasty test' }, async () => {
      late = pause(50).then(() => outcomeOf(send(`http://${host}:${server.port}/a?key=1`)))
    })
    await late
    expect(takeLateErrors()).toMatchObject([
      {
        code: 'RETAKE_LATE_REQUEST',
        message: expect.stringMatching(
          /^the test "the hasty test" made an HTTP request after it had ended: http:[^?]*\/a\n/,
        ),
      },
    ])
    expect(server.requests).toEqual([])
  },
)

test('a request outside every test, with several at work, fails each of them', async () => {
  await using one = await temporaryCassette()
  await using other = await temporaryCassette()
  const sessions = [one, other].map(({ path }, n) => {
    const scope = createScope(`test ${n}`)
    const test = { file: 'agent.test.ts', name: scope.label }
    return { scope, session: openCassette({ name: 'x', path, mode: 'auto', ci: false, test }, scope) }
  })
  // What a user leaves alone is nobody's.
  await outcomeOf(fetch('http://shop.localhost:1/'))
  expect(sessions.flatMap(({ session }) => session.errors)).toEqual([])
  await outcomeOf(fetch(`http://${host}/orders`))
  for (const { scope, session } of sessions) {
    runInScope(scope, () => endScope(scope))
    const { errors } = await session.finish('passed')
    expect(errors).toMatchObject([
      { code: 'RETAKE_UNATTRIBUTED_REQUEST', message: expect.stringMatching(/^an HTTP request outside every test/) },
    ])
  }
})
