import type { Cassette } from '@retake/session'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chatCall, chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { outcomeOf } from './record-and-replay.ts'
import { apiKey, chatRequest, openaiAt } from './sdk-clients.ts'

const ofTheEnvironment = 'c4nary-of-the-environment-0123'
// Put together here, so that no scanner of this repository takes it for real.
const published = `sk-${'proj'}-${'aB3dE5gH7jK9mN1pQ3sT'.repeat(2)}`

beforeEach(() => {
  vi.stubEnv('SHOP_TOKEN', ofTheEnvironment)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const agent =
  (url: string, content: string, order: string) =>
  async (cassette: Cassette): Promise<unknown> => {
    const tools = cassette.tools({ lookup: async (_: { order: string }) => 'late' })
    await openaiAt(url).chat.completions.create(chatRequest())
    const found = await outcomeOf(tools.lookup({ order }))
    return [found, await outcomeOf(openaiAt(url).chat.completions.create(chatRequest(content)))]
  }

test.each([
  ['of the environment', ofTheEnvironment],
  ['of the request', apiKey],
  ['of a published form', published],
])('what differs in a replay is shown without the key %s', async (_, key) => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({
    replies: [
      chatReply({ tool_calls: [chatCall('call_1', 'lookup', { order: 'A-77' })] }),
      chatReply({ content: 'x' }),
    ],
  })
  await inTest(file.path, {}, agent(provider.url, 'Thanks.', 'A-77'))
  const { value, result } = await inTest(file.path, {}, agent(provider.url, `Thanks, ${key}.`, `A-77 ${key}`))
  expect(result.errors).toMatchObject([{ code: 'RETAKE_CASSETTE_MISMATCH' }, { code: 'RETAKE_CASSETTE_MISMATCH' }])
  const shown = result.errors.map(({ message, details }) => message + JSON.stringify(details)).join('\n')
  expect(shown).toContain('Thanks, [redacted].')
  expect(shown).not.toContain(key)
  expect(JSON.stringify(value)).not.toContain(key)
})
