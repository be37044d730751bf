import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CassetteSession, createScope, openCassette, runInScope, type TestScope } from '@retake/session'
import { toResponse } from '../../packages/session/src/seam/respond.ts'
import type { Fetch, SeamSession } from '../../packages/session/src/seam/shared.ts'
import { endSession, startSeam, startSession } from '../../packages/session/src/seam/start-seam.ts'
import { chatJson } from '../../test/support/fake-provider/chat.ts'
import { startFakeProvider } from '../../test/support/fake-provider/fake-provider.ts'
import { createRandomTexts } from './random-texts.ts'
import { medianRatio, type Row, type Side } from './rounds.ts'

/** Requests of one round, each with another question. */
export const requests = 200

/**
 * A request of 20 kB and an answer of 2 kB, against a `fetch` that parses the body and gives the same answer. First the
 * seam alone, then all of a replay: reading the request, comparing it with the recorded ones, writing the reply.
 */
export async function fetchRows(rounds: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'retake-bench-'))
  try {
    const path = join(folder, 'bench.cassette.json')
    const url = await record(path)
    const row = async (row: string, side: Side, base: Side, limit?: number): Promise<Row> => ({
      row,
      ratio: await medianRatio(side, base, rounds),
      ...(limit !== undefined && { limit }),
      rounds,
    })
    return [
      await row('fetch through layer 1 / fetch that parses the body', throughSeam(url, 5), parsing(url, 5), 1.2),
      await row(
        'replayed fetch, compared and written / fetch that parses the body',
        replaying(path, url),
        parsing(url, 1),
      ),
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

const texts = createRandomTexts(3)
const tools = Array.from({ length: 20 }, (_, n) => ({
  type: 'function',
  function: {
    name: `${texts.word()}_${n}`,
    description: texts.sentence(700),
    parameters: { type: 'object', properties: { path: { type: 'string' }, line: { type: 'number' } } },
  },
}))
const bodies = Array.from({ length: requests }, (_, n) =>
  JSON.stringify({ model: 'gpt-5', tools, messages: [{ role: 'user', content: `${n} ${texts.sentence(2000)}` }] }),
)
const { body: answer = '' } = chatJson({ content: texts.sentence(1500) }) as { body?: string }
const headers = { 'content-type': 'application/json' }

async function sendAll(url: string, times = 1): Promise<void> {
  for (let n = 0; n < times; n++) {
    for (const body of bodies) {
      const response = await fetch(url, { method: 'POST', body, headers })
      await response.text()
    }
  }
}

/** @returns the URL of the requests, at which nobody answers any more */
export async function record(path: string): Promise<string> {
  await using provider = await startFakeProvider({ replies: () => ({ body: answer }) })
  const url = `${provider.url}/v1/chat/completions`
  const { session, scope } = useCassette(path)
  await runInScope(scope, () => sendAll(url))
  await end(session)
  return url
}

function useCassette(path: string): { session: CassetteSession; scope: TestScope } {
  const scope = createScope('bench')
  const test = { file: 'bench.ts', name: 'bench' }
  const options = { name: 'bench', path, mode: 'auto' as const, ci: false, test, maxLiveRequests: requests }
  return { session: openCassette(options, scope), scope }
}

async function end(session: CassetteSession): Promise<void> {
  const { errors } = await session.finish('passed')
  if (errors[0]) throw errors[0]
}

function parsing(url: string, times: number): Side {
  const patched: Fetch = async (_, init) => {
    JSON.parse(init?.body as string)
    return new Response(answer, { headers })
  }
  return {
    async work() {
      const { fetch } = globalThis
      globalThis.fetch = patched
      await sendAll(url, times)
      globalThis.fetch = fetch
    },
  }
}

function throughSeam(url: string, times: number): Side {
  const session: SeamSession = {
    label: 'bench',
    replaying: true,
    ofTest: true,
    allows: () => false,
    allowsHost: () => false,
    wireOf: () => undefined,
    http: () => 'leave',
    answerHttp: () => Promise.reject(new Error('no HTTP here')),
    answer: async (request) => toResponse({ status: 200, headers, body: answer }, request.url, request.signal),
    fail() {},
    notice() {},
  }
  return {
    before: startSeam,
    async work() {
      const scope = createScope('bench')
      scope.seam = session
      startSession(session)
      await runInScope(scope, () => sendAll(url, times))
      endSession(session)
    },
  }
}

export function replaying(path: string, url: string): Side {
  let used: ReturnType<typeof useCassette>
  return {
    before() {
      used = useCassette(path)
    },
    async work() {
      await runInScope(used.scope, () => sendAll(url))
      await end(used.session)
    },
  }
}
