import { join } from 'node:path'
import { type CassetteSession, openCassette } from '@retake/session'
import { isRetakeError } from '@retake/trace'
import { startFakeProvider } from '../../test/support/fake-provider/fake-provider.ts'
import { type TrafficExchange, trafficReply } from '../../test/support/fake-provider/traffic.ts'
import { compareSaid } from './compare-said.ts'
import { fetchAnswer, isInScope, originalAnswer, requestOf, type SentExchange, urlOn } from './exchange.ts'
import { createGivenIds } from './given-ids.ts'
import { compareContentTypes, compareMembers, readMembers, toMembers } from './members.ts'
import { type HttpAnswer, readSaid } from './read-said.ts'
import { refusalList } from './refusal-list.ts'
import { readThroughSdk } from './sdk-outcome.ts'

export type Verdict = 'exact' | 'refused' | 'lost' | 'skipped'

export interface Judgement {
  verdict: Verdict
  /** The name on the refusal list, or what was lost. */
  reason?: string
  /** What the replaying client received. */
  replayed?: HttpAnswer
}

/** A session that takes any number of requests. */
export const open = (path: string, mode: 'update' | 'replay'): CassetteSession =>
  openCassette({
    name: 'run',
    path,
    mode,
    ci: false,
    maxLiveRequests: Number.MAX_SAFE_INTEGER,
    test: { file: 'conformance', name: 'run' },
  })

/** A refusal counts as one only under a name of the closed list. */
const judgeError = (error: unknown): Judgement => {
  if (!isRetakeError(error)) return { verdict: 'lost', reason: `untyped error: ${String(error).split('\n', 1)[0]}` }
  const { name } = error.details
  if (error.code === 'RETAKE_UNSUPPORTED' && refusalList.has(String(name)))
    return { verdict: 'refused', reason: `${name}` }
  return { verdict: 'lost', reason: `${error.code}: ${error.message.split('\n', 1)[0]}` }
}

/** Sends one request through a session; what the session minds about it comes back as a judgement. */
export const send = async (
  session: CassetteSession,
  origin: string,
  exchange: SentExchange,
): Promise<{ answer?: HttpAnswer; minded?: Judgement }> => {
  const before = session.errors.length
  try {
    const answer = await fetchAnswer(session.cassette.fetch, urlOn(origin, exchange), requestOf(exchange))
    const error = session.errors[before]
    return error ? { answer, minded: judgeError(error) } : { answer }
  } catch (error) {
    return { minded: judgeError(session.errors[before] ?? error) }
  }
}

export type Judgements = Map<TrafficExchange, Judgement>

/**
 * Records the exchanges one after the other until none is refused: a refused one is taken out and the rest recorded anew.
 * Returns the origin of the upstream, which is gone by then, and the exchanges that are in the cassette.
 */
export const record = async (exchanges: SentExchange[], path: string, judged: Judgements) => {
  let current: SentExchange | undefined
  const reply = () => (current ? trafficReply(current) : { status: 400, body: '{}' })
  await using upstream = await startFakeProvider({ replies: reply, other: reply })
  let kept = exchanges
  for (;;) {
    const session = open(path, 'update')
    const refused = new Set<SentExchange>()
    for (const exchange of kept) {
      current = exchange
      const { answer, minded } = await send(session, upstream.url, exchange)
      const altered = answer?.body !== originalAnswer(exchange).body && 'the recording client got another body'
      const judgement = minded ?? (altered ? { verdict: 'lost' as const, reason: altered } : undefined)
      if (judgement === undefined) continue
      judged.set(exchange, judgement)
      refused.add(exchange)
    }
    if (refused.size === 0) {
      const { errors } = await session.finish('passed')
      // An error of the whole run cannot be laid at one exchange's door.
      if (errors[0]) for (const exchange of kept) judged.set(exchange, judgeError(errors[0]))
      return { origin: upstream.url, kept: errors[0] ? [] : kept }
    }
    await session.finish('failed')
    kept = kept.filter((exchange) => !refused.has(exchange))
    if (kept.length === 0) return { origin: upstream.url, kept }
  }
}

const judgeReplay = async (exchange: SentExchange, replayed: HttpAnswer): Promise<Judgement> => {
  const url = urlOn('http://127.0.0.1', exchange)
  const original = originalAnswer(exchange)
  try {
    const lines = [
      ...compareSaid(readSaid(url, original), readSaid(url, replayed)),
      ...compareMembers(readMembers(original), readMembers(replayed)),
      ...compareContentTypes(original, replayed),
      ...(await compareThroughSdk(url, original, replayed)),
    ]
    return lines.length > 0 ? { verdict: 'lost', reason: lines.join('; '), replayed } : { verdict: 'exact', replayed }
  } catch (error) {
    return { verdict: 'lost', reason: String(error), replayed }
  }
}

const isUnread = (outcome: unknown): boolean =>
  typeof outcome === 'object' && outcome !== null && 'thrown' in outcome && !Object.hasOwn(outcome, 'status')

const compareThroughSdk = async (url: string, original: HttpAnswer, replayed: HttpAnswer): Promise<string[]> => {
  const before = await readThroughSdk(url, original)
  // What the SDK cannot read it cannot compare.
  if (isUnread(before)) return []
  const after = await readThroughSdk(url, replayed)
  return compareMembers(toMembers(before), toMembers(after)).map((line) => `through the SDK: ${line}`)
}

/** Records a run through retake, takes the upstream away, replays it, and judges each exchange. */
export const judgeRun = async (run: TrafficExchange[], folder: string): Promise<Judgements> => {
  const judged: Judgements = new Map(run.map((exchange) => [exchange, { verdict: 'skipped' }]))
  const inScope = run.filter(isInScope)
  if (inScope.length === 0) return judged
  const path = join(folder, 'run.cassette.json')
  const { origin, kept } = await record(inScope, path, judged)
  if (kept.length === 0) return judged

  let session: CassetteSession
  try {
    session = open(path, 'replay')
  } catch (error) {
    for (const exchange of kept) judged.set(exchange, { ...judgeError(error), verdict: 'lost' })
    return judged
  }
  const given = createGivenIds()
  for (const exchange of kept) {
    const { answer, minded } = await send(session, origin, given.inRequest(exchange))
    if (answer) given.note(originalAnswer(exchange), answer)
    judged.set(exchange, minded || !answer ? { ...minded, verdict: 'lost' } : await judgeReplay(exchange, answer))
  }
  const { errors } = await session.finish('passed')
  const allExact = kept.every((exchange) => judged.get(exchange)?.verdict === 'exact')
  if (errors[0] && allExact) for (const exchange of kept) judged.set(exchange, judgeError(errors[0]))
  return judged
}
