import axios from 'axios'
import OpenAI from 'openai'
import * as undici from 'undici'
import { inTest, temporaryCassette } from '../session/in-test.ts'
import { chatRequest } from '../session/sdk-clients.ts'
import { chatJson } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { Neighbour } from './neighbour.ts'

export type Mode = 'replaying' | 'recording' | 'without a cassette'
export type Order = 'before' | 'after'
/** What came of each cell, by `order, phase, mode: client`. */
export type Cells = Record<string, string>

interface Meeting {
  createNeighbour: () => Neighbour
  capturedFetch: typeof fetch
  /** Path of a cassette with one answer. */
  recorded: string
}

type Send = () => Promise<unknown>

const headers = { 'content-type': 'application/json' }
const body = JSON.stringify(chatRequest())
const post = { method: 'POST', headers, body }
// biome-ignore lint/suspicious/noExplicitAny: whatever came, the cell shows it.
const contentOf = (reply: any): unknown => reply.choices?.[0]?.message.content ?? JSON.stringify(reply)
// biome-ignore lint/suspicious/noExplicitAny: the same.
const weatherOf = (reply: any): unknown => reply?.weather ?? `no weather: ${JSON.stringify(reply)}`

/**
 * Plays every client in every mode while the library listens, after it closed, and while it listens again: first `before`
 * the process has had a cassette, then `after` both layers of retake were on.
 */
export async function playAll({ createNeighbour, capturedFetch, recorded }: Meeting): Promise<Cells> {
  const provider = await startFakeProvider({
    replies: () => chatJson({ content: 'hello' }),
    other: { headers, body: '{"weather":"real"}' },
  })
  const at = `${provider.url}/v1/chat/completions`
  const own = provider.url.replace('127.0.0.1', 'localhost')
  const openai = () => new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'k', maxRetries: 0 })
  const early = openai()
  const cells: Cells = {}
  const fresh = await temporaryCassette()
  let neighbour = createNeighbour()
  let order: Order = 'before'
  neighbour.listen()
  const late = openai()

  const forModel: Record<string, Send> = {
    fetch: async () => contentOf(await (await fetch(at, post)).json()),
    'openai, made before': async () => contentOf(await early.chat.completions.create(chatRequest())),
    'openai, made while it listens': async () => contentOf(await late.chat.completions.create(chatRequest())),
    'a captured fetch': async () => contentOf(await (await capturedFetch(at, post)).json()),
    axios: async () => contentOf((await axios.post(at, body, { headers })).data),
    'undici.request': async () => contentOf(await (await undici.request(at, { ...post, method: 'POST' })).body.json()),
  }
  const forUser: Record<string, Send> = {
    'a mocked URL, fetch': async () => weatherOf(await (await fetch(`${own}/weather`)).json()),
    'a mocked URL, axios': async () => weatherOf((await axios.get(`${own}/weather`)).data),
    'another URL, fetch': async () => weatherOf(await (await fetch(`${own}/other`)).json()),
    'another URL, axios': async () => weatherOf((await axios.get(`${own}/other`)).data),
  }

  async function play(phase: string, mode: Mode, client: string, send: Send): Promise<void> {
    const calls = () => provider.requests.filter(({ url }) => at.endsWith(url)).length
    const before = calls()
    const noise: unknown[] = []
    const { warn, error } = console
    console.warn = console.error = (...args) => noise.push(...args)
    const outcome = await run(mode, send).catch(reasonOf)
    Object.assign(console, { warn, error })
    const live = calls() - before
    const notes = [live > 0 && `${live} sent`, client in forModel && noise.length > 0 && `printed ${noise}`]
    cells[`${order}, ${phase}, ${mode}: ${client}`] = [outcome, ...notes.filter(Boolean)].join(', ')
  }

  async function run(mode: Mode, send: Send): Promise<unknown> {
    if (mode === 'without a cassette') return await send()
    const { value, result } =
      mode === 'replaying'
        ? await inTest(recorded, { mode: 'replay', allowUnused: true }, send)
        : await inTest(fresh.path, { mode: 'update' }, send)
    const { errors } = result
    // The same answer as the last time leaves the file as it is.
    const kind = result.kind === 'unchanged' ? 'recorded' : result.kind
    return [value, ...(kind === 'discarded' ? [] : [kind]), ...errors.map(({ message }) => message)].join(', ')
  }

  async function playPhase(phase: string): Promise<void> {
    for (const [client, send] of Object.entries({ ...forModel, ...forUser })) {
      await play(phase, 'replaying', client, send)
      await play(phase, 'recording', client, send)
      if (client in forUser) await play(phase, 'without a cassette', client, send)
    }
  }

  async function playInOrder(now: Order): Promise<void> {
    order = now
    await playPhase('listening')
    neighbour.close()
    await playPhase('closed')
    neighbour = createNeighbour()
    neighbour.listen()
    await playPhase('listening again')
    neighbour.close()
  }
  await playInOrder('before')
  neighbour = createNeighbour()
  neighbour.listen()
  await playInOrder('after')

  // Opened and closed inside a test, with layer 2 on.
  for (const [client, send] of Object.entries({ ...forModel, ...forUser })) {
    await play('opened in the test', 'replaying', client, async () => {
      await axios.get(own)
      neighbour = createNeighbour()
      neighbour.listen()
      return await send().finally(neighbour.close)
    })
    await play('closed in the test', 'replaying', client, async () => {
      neighbour = createNeighbour()
      neighbour.listen()
      await Promise.all([axios.get(`${own}/weather`), fetch(`${own}/weather`)])
      neighbour.close()
      return await send()
    })
  }
  await fresh[Symbol.asyncDispose]()
  await provider.stop()
  return cells
}

const reasonOf = (error: Error): string => {
  const { message } = (error.cause ?? error) as Error
  return `error: ${message.split('\n', 1)[0]}`
}
