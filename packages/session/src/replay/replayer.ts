import { createHeldHistory, fromModelOutput, type HeldRun, type WireAnswer } from '@retake/providers'
import { finalAnswerOf, type RetakeError, type Trace } from '@retake/trace'
import { attemptOf } from '../attempt-of.ts'
import type { CassetteOptions } from '../cassette.ts'
import type { Comparison } from '../comparison.ts'
import { createHttpReplayer } from '../http/http-replayer.ts'
import { toWireRequest } from '../miss.ts'
import { toResponse, withoutResponse } from '../seam/respond.ts'
import type { ModelRequest } from '../seam/shared.ts'
import { explainMiss, explainUnused } from './explain.ts'
import { createFinishOrder } from './finish-order.ts'
import { createMask, masked } from './mask.ts'
import { type Match, matchRequest, matchSequence } from './match.ts'
import type { Place } from './miss-message.ts'
import { pacedResponse, timingOf } from './paced-response.ts'
import { isHttp, type RecordedAttempt, type RecordedRun } from './recorded-run.ts'
import { createToolReplayer } from './tool-replayer.ts'
import { createTurns } from './wait-for-turn.ts'

export interface ReplayOptions {
  /** The recording says nothing of how the run ended. [false] */
  anyEnd?: boolean
  match: 'strict' | 'sequence'
  allowUnused: boolean
  pace: NonNullable<CassetteOptions['pace']>
  comparison: Comparison
  tools?: CassetteOptions['tools']
  /** Shared with whoever goes on behind this run. */
  history?: HeldRun
}

export interface ReplayerEvents {
  /** A recorded answer, or failure, is given. */
  served(): void
  /** Remembers a miss. */
  miss(error: RetakeError): void
  /** Remembers a miss and gives the answer for it. */
  refuse(request: ModelRequest, error: RetakeError): Response
  /** Answers a request of this run whose reply is not in it. */
  goOn(request: ModelRequest): Promise<Response>
}

/** Serves one test from a cassette. */
export function createReplayer(
  run: RecordedRun,
  {
    match,
    comparison,
    pace,
    tools: policy = 'replay',
    history = createHeldHistory(),
  }: Omit<ReplayOptions, 'allowUnused'>,
  given: Place,
  events: ReplayerEvents,
) {
  const { path, test, testFile, runKind, again, clock } = given
  const place: Place = { path, test, testFile, runKind, again, clock, inForce: comparison.inForce }
  const finished = createFinishOrder()
  const turns = createTurns(run.calls)
  let requests = 0
  let latest: ModelRequest | undefined

  /** True where recorded requests are left. */
  const isOpen = (): boolean => run.calls.some(({ served, attempts }) => served < attempts.length)

  /** True for a request that is one of those. */
  function knows(request: ModelRequest): boolean {
    if (!isOpen()) return false
    if (match === 'sequence') return true
    const received = comparison.prepare(request.wire.readRequest(history.resolve(request.wire, toWireRequest(request))))
    return ['found', 'out-of-order'].includes(matchRequest(run.calls, received).kind)
  }

  async function answer(request: ModelRequest): Promise<Response> {
    const asked = history.resolve(request.wire, toWireRequest(request))
    const received = comparison.prepare(request.wire.readRequest(asked))
    requests++
    latest = request
    const number = requests
    const asking = { attempt: attemptOf(request.headers) }
    let taken: RecordedAttempt | undefined
    // Found and taken in one go: another request may be waiting for the same turn.
    const take = (patient: boolean): Match => {
      const found =
        match === 'sequence' ? matchSequence(run.calls) : matchRequest(run.calls, received, { ...asking, patient })
      if (found.kind !== 'found') return found
      taken = found.call.attempts[found.call.served++]
      events.served()
      turns.moved()
      return found
    }
    const found = await turns.waitFor(take, request.signal)
    if (found.kind === 'out-of-order' && request.signal?.aborted) {
      // The client did not wait for its turn, as it may not have waited for the answer.
      found.call.served++
      events.served()
      turns.moved()
      throw request.signal.reason
    }
    if (found.kind !== 'found') {
      const mask = createMask(request)
      const shown = found.kind === 'mismatch' ? { ...found, differences: masked(found.differences, mask) } : found
      return events.refuse(request, explainMiss(shown, masked(received, mask), number, run, place))
    }
    const attempt = taken as unknown as RecordedAttempt
    if ('next' in attempt) return events.goOn(request)
    if ('error' in attempt && attempt.error.status === 0) return withoutResponse(attempt.error, request.signal)
    const reply = write(request, attempt)
    history.remember(asked, reply.held)
    const timing = pace === 'recorded' && 'output' in attempt ? timingOf(attempt.extras) : undefined
    if (timing) return pacedResponse(reply, request.url, request.signal, timing)
    return toResponse(reply, request.url, request.signal)
  }

  function write(request: ModelRequest, attempt: Exclude<RecordedAttempt, { next: true }>): WireAnswer {
    const context = {
      request: toWireRequest(request),
      replyId: replyId(run.trace, attempt.step),
      timestamp: attempt.at,
    }
    if ('error' in attempt) return request.wire.writeError(attempt.error, context)
    const { output, extras } = attempt
    return request.wire.writeReply(fromModelOutput(output), { ...context, ...(extras && { extras }) })
  }

  /**
   * Recorded requests that were not made; the error for them, for requests over HTTP, and for calls of tools that this
   * run wraps and did not call, unless `allowed`.
   */
  function unused(allowed: boolean): { count: number; error?: RetakeError } {
    const open = run.calls.filter(({ served, attempts }) => served < attempts.length)
    const left = [...run.tools.filter((tool) => !tool.used && isHttp(tool)), ...tools.unused()]
    if (allowed || open.length + left.length === 0) return { count: open.length }
    return { count: open.length, error: explainUnused(open, left, run, place) }
  }

  /** The text of the last reply given, where that is a final answer. */
  function answerSoFar(): string | undefined {
    const last = run.calls.findLast(({ served }) => served > 0)
    const attempt = last?.attempts[last.served - 1]
    return attempt && 'output' in attempt ? finalAnswerOf(attempt.output) : undefined
  }

  const tools = createToolReplayer(run, {
    policy,
    match,
    comparison,
    place,
    finished,
    mask: (value) => masked(value, createMask(latest)),
    fail: events.miss,
  })
  const http = createHttpReplayer(run.tools.filter(isHttp), { comparison, place, served: events.served, finished })

  return { answer, isOpen, knows, http, tools, unused, answerSoFar }
}

const replyId = ({ id }: Trace, step: number): string => `${id.replace(/[^A-Za-z0-9_-]/g, '')}-${step}`
