import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { findWire, type ReplyExtras, type Turn, type Wire, type WireAnswer, type WireError } from '@retake/providers'
import OpenAI from 'openai'
import { afterAll, beforeAll } from 'vitest'
import { type FakeProvider, startFakeProvider } from './fake-provider/fake-provider.ts'
import type { FakeReply, ReceivedRequest, Scripted } from './fake-provider/reply.ts'

/** Lets the fake provider answer with what the wires write. */

export const toReply = ({ status, headers, body, end }: WireAnswer): FakeReply => {
  const chunks = typeof body === 'string' ? [body] : body
  return {
    status,
    headers,
    ...(typeof body === 'string' && !end ? { body } : { chunks }),
    ...(end === 'cut' && { cutAfter: chunks.length }),
  }
}

export const contextOf = ({ url, headers, body }: ReceivedRequest) => ({
  request: { url: new URL(url, 'http://127.0.0.1').href, headers, body },
  replyId: 'run-1',
  timestamp: 1_764_460_800_000,
})

export const wireOf = ({ url, body }: ReceivedRequest): Wire => {
  const wire = findWire(new URL(url, 'http://127.0.0.1'), body)
  if (!wire) throw new Error(`no wire for ${url}`)
  return wire
}

/** A reply of a wire, in the shape that the request asks for. */
export const says =
  (turn: Turn, extras?: ReplyExtras): Scripted =>
  (request) =>
    toReply(wireOf(request).writeReply(turn, { ...contextOf(request), ...(extras && { extras }) }))

export const fails =
  (error: WireError): Scripted =>
  (request) =>
    toReply(wireOf(request).writeError(error, contextOf(request)))

/** What came of a call: its value, or what its error says. */
export const outcome = async <T>(run: () => PromiseLike<T>): Promise<unknown> => {
  try {
    return await run()
  } catch (error) {
    const { name, message, status } = error as { name: string; message: string; status?: number }
    return { name, message, status }
  }
}

const noneLeft: FakeReply = {
  status: 400,
  headers: { 'x-should-retry': 'false' },
  body: '{"error":{"message":"no reply left"}}',
}

/** One fake provider for a test file, the SDKs that speak with it, and what it says next. */
export const useSdks = () => {
  const script: Scripted[] = []
  let provider: FakeProvider | undefined
  const running = (): FakeProvider => {
    if (!provider) throw new Error('the fake provider runs within tests only')
    return provider
  }
  beforeAll(async () => {
    provider = await startFakeProvider({
      replies: (request) => {
        const next = script.shift() ?? noneLeft
        return typeof next === 'function' ? next(request) : next
      },
    })
  })
  afterAll(() => provider?.stop())
  return {
    script,
    /** Replaces what was left of the script. */
    play: (...replies: Scripted[]) => void script.splice(0, script.length, ...replies),
    lastRequest: () => running().requests.at(-1),
    openai: () => new OpenAI({ apiKey: 'key-for-tests', baseURL: `${running().url}/v1` }),
    anthropic: () => new Anthropic({ apiKey: 'key-for-tests', baseURL: running().url }),
    genai: () => new GoogleGenAI({ apiKey: 'key-for-tests', httpOptions: { baseUrl: running().url } }),
  }
}
