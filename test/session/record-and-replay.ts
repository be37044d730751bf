import type { Cassette, CassetteOptions } from '@retake/session'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'
import { inTest, type TestRun, temporaryCassette } from './in-test.ts'

export interface TwoRuns<T> {
  recorded: TestRun<T>
  replayed: TestRun<T>
  /** Milliseconds the replay took. */
  replayMs: number
  /** Requests the provider got while recording. */
  requests: number
}

/** Records a run against a scripted provider, takes the provider away, and replays it. */
export async function recordAndReplay<T>(
  replies: readonly Scripted[] | Extract<Scripted, (...args: never[]) => unknown>,
  agent: (url: string, cassette: Cassette) => Promise<T>,
  options: CassetteOptions = {},
): Promise<TwoRuns<T>> {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies })
  const recorded = await inTest(file.path, options, (cassette) => agent(provider.url, cassette))
  const requests = provider.requests.length
  await provider.stop()
  const start = performance.now()
  const replayed = await inTest(file.path, options, (cassette) => agent(provider.url, cassette))
  return { recorded, replayed, replayMs: performance.now() - start, requests }
}

/** A fetch that counts, over the global one. */
export function countingFetch(): { fetch: typeof fetch; readonly attempts: number } {
  let attempts = 0
  return {
    fetch: (input, init) => {
      attempts++
      return globalThis.fetch(input, init)
    },
    get attempts() {
      return attempts
    },
  }
}

/** What an agent sees of a failure. */
const seen = (error: unknown): unknown => {
  const { name, message, status, code, type, error: body } = error as Record<string, unknown> & Error
  const cause = (error as Error).cause
  return {
    class: (error as object).constructor.name,
    name,
    message,
    status,
    code,
    type,
    body,
    ...(cause instanceof Error && {
      cause: { name: cause.name, message: cause.message, code: (cause as { code?: unknown }).code },
    }),
  }
}

/** The value of a promise, or what an agent sees of its failure. */
export const outcomeOf = async (promise: PromiseLike<unknown>): Promise<unknown> => {
  try {
    return { value: await promise }
  } catch (error) {
    return { error: seen(error) }
  }
}
