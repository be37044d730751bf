import { createSession } from '@retake/session'
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { temporaryCassette } from './in-test.ts'

const ask = async (fetch: typeof globalThis.fetch, baseURL = 'http://127.0.0.1:9/v1', content = 'Where is A-77?') => {
  const client = new OpenAI({ apiKey: 'no-key', baseURL, fetch, maxRetries: 0 })
  const { choices } = await client.chat.completions.create({
    model: 'gpt-5',
    messages: [{ role: 'user', content }],
  })
  return choices[0]?.message.content
}

test.each([
  [{ casette: 'a.cassette.json' }, 'createSession() has no option "casette"'],
  [{ cassette: 'a.cassette.json', match: 'loose' }, "createSession(): match must be 'strict' or 'sequence'"],
  [{ cassette: '' }, 'createSession(): cassette must be a text that is not empty'],
])('%j is refused', (options, message) => {
  expect(() => createSession(options as never)).toThrow(message)
})

test('a script needs no path of a cassette', async () => {
  const session = createSession({ script: ['It is late.'] })
  expect(await ask(session.fetch)).toBe('It is late.')
  expect(await session.finish()).toMatchObject({ kind: 'scripted' })
})

describe('messages name the session', () => {
  // Whether this is CI or not.
  beforeEach(() => void vi.stubEnv('RETAKE', 'update'))
  afterEach(() => void vi.unstubAllEnvs())

  test('a script that is not used up', async () => {
    const session = createSession({ script: ['one', 'two'] })
    await ask(session.fetch)
    await expect(session.finish()).rejects.toThrow(
      'the session ended with 1 of 2 replies in the script unused: script[1]',
    )
  })

  test('recorded requests that were not made, two recordings of one file, and a take', async () => {
    await using file = await temporaryCassette()
    await using provider = await startFakeProvider({
      replies: ['late', 'later'].map((content) => chatReply({ content })),
    })
    const url = `${provider.url}/v1`
    const recording = createSession({ cassette: file.path })
    expect(() => createSession({ cassette: file.path })).toThrow(
      /^two sessions record into one cassette .*\n.*\n {2}Give one of them another `cassette`/,
    )
    await ask(recording.fetch, url)
    expect(await recording.finish()).toMatchObject({ kind: 'recorded' })

    vi.stubEnv('RETAKE', 'replay')
    const replaying = createSession({ cassette: file.path })
    await expect(replaying.finish()).rejects.toThrow('the session ended with 1 of 1 recorded requests unused')

    vi.stubEnv('RETAKE', 'update')
    const reviewed = createSession({ cassette: file.path, review: true })
    await ask(reviewed.fetch, url, 'Where is B-12?')
    expect(await reviewed.finish()).toMatchObject({ kind: 'waiting', path: file.path })
  })

  test('a file that could not be written is refused before anything is paid for', async () => {
    await using file = await temporaryCassette()
    expect(() => createSession({ cassette: `${import.meta.filename}/a.cassette.json` })).toThrow(
      'the cassette cannot be written: a part of its path is no folder',
    )
    expect(() => createSession({ cassette: `${file.path}.json`, review: true })).toThrow(
      'a recording waits only beside a cassette that is named ….cassette.json',
    )
  })
})
