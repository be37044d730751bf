import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { chatJson } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { postChat } from './sdk-clients.ts'

/** No such program need be there: it is the start that retake sees. */
const runClaude = () => once(spawn('claude', ['--version']), 'exit').then(String, ({ code }) => String(code))

test('an agent that is a program of its own is noticed once, and the way out holds', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: [chatJson({ content: 'hello' })] })
  const printed: string[] = []
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(printed.push(String(text))))
  const run = vi.fn(runClaude)
  await inTest(file.path, {}, async (cassette) => {
    await postChat(provider.url)
    await cassette.tool('claude', run)()
  })
  expect([printed, run.mock.calls.length]).toEqual([[], 1])

  const { result } = await inTest(file.path, {}, async (cassette) => {
    await postChat(provider.url)
    await cassette.tool('claude', run)()
    await runClaude()
    await runClaude()
  })
  stderr.mockRestore()
  expect(run).toHaveBeenCalledTimes(1)
  expect(printed).toEqual([expect.stringMatching(/^\[retake\] claude was started .*cassette\.tool\('claude', …\)/)])
  expect(result).toMatchObject({ kind: 'replayed', errors: [] })
})
