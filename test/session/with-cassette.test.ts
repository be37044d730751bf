import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withCassette } from '@retake/session'
import { loadTrace } from '@retake/trace'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chatReply } from '../support/fake-provider/chat.ts'
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { chatRequest, openaiAt } from './sdk-clients.ts'

let folder = ''
let provider: FakeProvider
beforeEach(async () => {
  // Whether this is CI or not.
  vi.stubEnv('RETAKE', 'update')
  folder = await mkdtemp(join(tmpdir(), 'retake-with-'))
  provider = await startFakeProvider({
    replies: (request) => {
      const reply = chatReply({ content: 'Done.' })
      return typeof reply === 'function' ? reply(request) : reply
    },
  })
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await provider.stop()
  await rm(folder, { recursive: true })
})

const replaying = (): void => void vi.stubEnv('RETAKE', 'replay')

/** What node:test and Mocha give a test. */
const nodeContext = (fullName: string) => ({ fullName, filePath: join(folder, 'agent.test.js') })
const root = {}
const mochaContext = (titles: string[], retry = 0) => ({
  test: {
    file: join(folder, 'agent.test.js'),
    titlePath: () => titles,
    currentRetry: () => retry,
    parent: { parent: root },
  },
})
const ask = async (content?: string) => {
  const { choices } = await openaiAt(provider.url).chat.completions.create(
    content === undefined ? chatRequest() : { ...chatRequest(), messages: [{ role: 'user', content }] },
  )
  return choices[0]?.message.content
}

test('the cassette has the name of the test, and the test gets what its work gives', async () => {
  expect(await withCassette(nodeContext('refunds > a late order'), () => ask())).toBe('Done.')
  const path = join(folder, '__cassettes__/agent.test/refunds--a-late-order.cassette.json')
  expect(loadTrace(path).steps).toHaveLength(3)
  expect(await withCassette(mochaContext(['refunds', 'a late order']), () => ask())).toBe('Done.')
  expect(existsSync(join(folder, '__cassettes__/agent.test.js/refunds--a-late-order.cassette.json'))).toBe(true)
})

test('a test that fails writes nothing, and its own error comes out', async () => {
  const failing = withCassette(nodeContext('fails'), async () => {
    await ask()
    throw new TypeError('my own')
  })
  await expect(failing).rejects.toThrow(new TypeError('my own'))
  expect(existsSync(join(folder, '__cassettes__'))).toBe(false)
})

test('a change that the agent swallows fails the test', async () => {
  const context = nodeContext('swallows')
  await withCassette(context, () => ask('one'))
  replaying()
  const swallowed = withCassette(context, () => ask('two').catch(() => 'fine'))
  await expect(swallowed).rejects.toMatchObject({ code: 'RETAKE_CASSETTE_MISMATCH' })
  await expect(withCassette(context, () => ask('one').catch(() => {}))).resolves.toBe('Done.')
})

test('concurrent tests keep their calls apart', async () => {
  const contexts = ['one', 'two', 'three'].map(nodeContext)
  const run = () => Promise.all(contexts.map((context) => withCassette(context, () => ask(context.fullName))))
  await run()
  const { length } = provider.requests
  replaying()
  await run()
  expect(provider.requests).toHaveLength(length)
  for (const name of ['one', 'two', 'three']) {
    const { steps } = loadTrace(join(folder, `__cassettes__/agent.test/${name}.cassette.json`))
    expect(JSON.stringify(steps[0]?.payload)).toContain(`"content":"${name}"`)
  }
})

test('two tests of one name are told; another attempt of one is not', async () => {
  await withCassette(mochaContext(['same']), () => ask())
  await withCassette(mochaContext(['same'], 1), () => ask())
  const second = withCassette(mochaContext(['same']), () => ask())
  await expect(second).rejects.toThrow('two tests have the same cassette: "same" in agent.test.js')
  expect(await withCassette(mochaContext(['same']), { name: 'the other' }, () => ask())).toBe('Done.')
})

test('what is no context is refused with what to write', async () => {
  await expect(withCassette({} as never, () => ask())).rejects.toThrow('an arrow function has no `this`')
  // `this` in an arrow function of a module.
  await expect(withCassette(undefined as never, () => ask())).rejects.toThrow('an arrow function has no `this`')
  await expect(withCassette({ fullName: 'a' }, () => ask())).rejects.toThrow('give the path as `{ cassette }`')
})
