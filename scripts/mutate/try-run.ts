import { join } from 'node:path'
import { findWire, type Wire, type WireRequest } from '@retake/providers'
import type { CassetteSession } from '@retake/session'
import type { JsonObject } from '@retake/trace'
import type { TrafficExchange } from '../../test/support/fake-provider/traffic.ts'
import { isInScope, originalAnswer, type SentExchange, urlOn } from '../conformance/exchange.ts'
import { createGivenIds } from '../conformance/given-ids.ts'
import { type Judgements, open, record, send } from '../conformance/judge-run.ts'
import { oneFieldChanges, sameRequests } from './one-field-changes.ts'
import { places } from './places.ts'

/** What became of one change of one exchange. */
export interface Tried {
  wire: string
  change: string
  run: string
  turn: number
  /**
   * `caught`: missed, with the path in the message. `matched`: served, rightly. `unnamed`: missed without the path.
   * `served`: although it asks for something else. `refused`: although it asks the same.
   */
  verdict: 'caught' | 'matched' | 'unnamed' | 'served' | 'refused'
  /** The first lines of the miss, where the verdict is a fault. */
  message?: string
}

const isFault = ({ verdict }: Tried): boolean => verdict !== 'caught' && verdict !== 'matched'

export const faultsOf = (tried: readonly Tried[]): Tried[] => tried.filter(isFault)

const origin = 'http://127.0.0.1:9'

const findWireOf = (exchange: SentExchange): Wire | undefined =>
  findWire(new URL(urlOn(origin, exchange)), exchange.request.body as JsonObject)

const wireOf = (exchange: SentExchange): Wire => {
  const wire = findWireOf(exchange)
  if (!wire) throw new Error(`no wire for ${exchange.request.url}`)
  return wire
}

const requestOf = (exchange: SentExchange): WireRequest => ({
  url: urlOn(origin, exchange),
  headers: exchange.request.headers,
  body: exchange.request.body as JsonObject,
})

const withRequest = (exchange: SentExchange, { url, headers, body }: WireRequest): SentExchange => ({
  ...exchange,
  request: { ...exchange.request, url, headers: { ...headers }, body },
})

const placesOf = (wire: Wire) => {
  const known = places[wire.name]
  if (!known) throw new Error(`scripts/mutate/places.ts does not know the wire ${wire.name}`)
  return known
}

/**
 * Records a run, and replays it with one thing changed at a time: each of the ten changes must miss and be named, each
 * rewriting that asks the same must be served. Exchanges that cannot be recorded are left out.
 */
export const tryRun = async (run: TrafficExchange[], folder: string): Promise<Tried[]> => {
  const judged: Judgements = new Map()
  const path = join(folder, 'run.cassette.json')
  // Endpoints without a wire are compared as plain HTTP, which is not judged here.
  const inScope = run.filter(isInScope).filter((exchange) => findWireOf(exchange) !== undefined)
  if (inScope.length === 0) return []
  const { kept } = await record(inScope, path, judged)
  if (kept.length === 0) return []
  const tried = await tryChanges(open(path, 'replay'), kept)
  for (const { name, rewrite } of sameRequests) {
    tried.push(...(await trySame(open(path, 'replay'), kept, name, rewrite)))
  }
  return tried
}

/** A miss uses no step up, so one replay of the run takes every change of every exchange before the exchange itself. */
const tryChanges = async (session: CassetteSession, kept: SentExchange[]): Promise<Tried[]> => {
  const tried: Tried[] = []
  const given = createGivenIds()
  for (const exchange of kept) {
    const sent = given.inRequest(exchange)
    const wire = wireOf(sent)
    for (const { name, change, path } of oneFieldChanges) {
      const changed = change(requestOf(sent), placesOf(wire))
      if (!changed) continue
      const before = session.errors.length
      await send(session, origin, withRequest(sent, changed))
      const message = session.errors[before]?.message
      const verdict = message === undefined ? 'served' : path.test(message) ? 'caught' : 'unnamed'
      tried.push(toTried(exchange, wire, name, verdict, message))
    }
    const { answer } = await send(session, origin, sent)
    if (answer) given.note(originalAnswer(exchange), answer)
  }
  await session.finish('failed')
  return tried
}

const trySame = async (
  session: CassetteSession,
  kept: SentExchange[],
  name: string,
  rewrite: (typeof sameRequests)[number]['rewrite'],
): Promise<Tried[]> => {
  const tried: Tried[] = []
  const given = createGivenIds()
  for (const exchange of kept) {
    const sent = given.inRequest(exchange)
    const wire = wireOf(sent)
    const rewritten = rewrite(requestOf(sent), placesOf(wire))
    const { answer, minded } = await send(session, origin, rewritten ? withRequest(sent, rewritten) : sent)
    if (answer) given.note(originalAnswer(exchange), answer)
    if (rewritten) tried.push(toTried(exchange, wire, name, minded ? 'refused' : 'matched', minded?.reason))
  }
  await session.finish('failed')
  return tried
}

const toTried = (
  { run, turn }: SentExchange,
  wire: Wire,
  change: string,
  verdict: Tried['verdict'],
  message: string | undefined,
): Tried => {
  const tried = { wire: wire.name, change, run, turn, verdict }
  return isFault(tried) && message !== undefined ? { ...tried, message: message.split('\n', 4).join('\n') } : tried
}
