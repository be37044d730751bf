import { inTest, temporaryCassette } from '../session/in-test.ts'
import { echoOf, modelRequests, startEchoProvider } from './echo-provider.ts'
import type { TestClient } from './test-client.ts'

const names = Array.from({ length: 20 }, (_, n) => `test ${n}`)
const questionsOf = (name: string): string[] => ['one', 'two', 'three'].map((turn) => `${name}, ${turn}`)

/** What came of one of the concurrent tests. */
export interface ConcurrentTest {
  /** Three texts, or what the errors say. */
  said: string[]
  kind: string
  calls: number
  errors: string[]
}

/** What must come of each of them. */
export const expectedTests = (kind: 'recorded' | 'replayed'): ConcurrentTest[] =>
  names.map((name) => ({ said: questionsOf(name).map(echoOf), kind, calls: 3, errors: [] }))

/** Makes 60 requests of 20 tests at a time through one client, then again through `again` with the provider gone. */
export async function runConcurrently(client: TestClient, again = client) {
  const provider = await startEchoProvider({ tls: client.tls, waitMs: (question) => question.length % 4 })
  const files = await Promise.all(names.map(() => temporaryCassette()))
  const runAll = ({ create }: TestClient): Promise<ConcurrentTest[]> => {
    const { json, stream } = create(provider.url)
    const ask = async (name: string) => {
      const said: string[] = []
      for (const [turn, question] of questionsOf(name).entries()) {
        const texts = (turn === 1 ? stream : json)(question)
        said.push(await texts.then((all) => all.join('')).catch(String))
      }
      return said
    }
    return Promise.all(
      names.map(async (label, n) => {
        const { value, result } = await inTest(files[n]?.path as string, { label }, () => ask(label))
        const { kind, liveCalls, replayedCalls, errors } = result
        return { said: value, kind, calls: liveCalls + replayedCalls, errors: errors.map(({ code }) => code) }
      }),
    )
  }
  const recorded = await runAll(client)
  const requests = modelRequests(provider)
  await provider.stop()
  const replayed = await runAll(again)
  await Promise.all(files.map((file) => file[Symbol.asyncDispose]()))
  return { recorded, replayed, requests }
}
