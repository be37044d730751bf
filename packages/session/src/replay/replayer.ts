import { compareValues, equalJson } from '@retake/compare'
import { createHeldHistory, fromModelOutput, type WireAnswer } from '@retake/providers'
import { finalAnswerOf, isRetakeError, type JsonValue, type RetakeError, type Trace } from '@retake/trace'
import { attemptOf } from '../attempt-of.ts'
import type { CassetteOptions } from '../cassette.ts'
import type { Comparison } from '../comparison.ts'
import { createHttpReplayer } from '../http/http-replayer.ts'
import { toWireRequest } from '../miss.ts'
import { toResponse, withoutResponse } from '../seam/respond.ts'
import type { ModelRequest } from '../seam/shared.ts'
import { returnStored } from '../tools/stored-result.ts'
import { toToolInput } from '../tools/tool-input.ts'
import { explainMiss, explainToolMiss, explainUnused } from './explain.ts'
import { createFinishOrder } from './finish-order.ts'
import type { Place } from './foot.ts'
import { createMask, masked } from './mask.ts'
import { type Match, matchRequest, matchSequence } from './match.ts'
import { pacedResponse, timingOf } from './paced-response.ts'
import { isHttp, type RecordedAttempt, type RecordedCall, type RecordedRun, type RecordedTool } from './recorded-run.ts'
import { createTurns } from './wait-for-turn.ts'

export interface ReplayOptions {
  match: 'strict' | 'sequence'
  allowUnused: boolean
  pace: NonNullable<CassetteOptions['pace']>
  comparison: Comparison
}

export interface ReplayerEvents {
  /** A recorded answer, or failure, is given. */
  served(): void
  /** Remembers a miss. */
  miss(error: RetakeError): void
  /** Remembers a miss and gives the answer for it. */
  refuse(request: ModelRequest, error: RetakeError): Response
}

/** Serves one test from a cassette. */
export function createReplayer(
  run: RecordedRun,
  { match, comparison, pace }: Pick<ReplayOptions, 'match' | 'comparison' | 'pace'>,
  { path, test, testFile, again }: Place,
  events: ReplayerEvents,
) {
  const place: Place = { path, test, testFile, again, inForce: comparison.inForce }
  /** Names of the tools that this run wraps. */
  const wrapped = new Set<string>()
  const tools = run.tools.filter((tool) => !isHttp(tool))
  const finished = createFinishOrder()
  const history = createHeldHistory()
  const turns = createTurns(run.calls)
  let requests = 0
  let latest: ModelRequest | undefined

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
    if ('error' in attempt && attempt.error.status === 0) return withoutResponse(attempt.error, request.signal)
    const reply = write(request, attempt)
    history.remember(asked, reply.held)
    const timing = pace === 'recorded' && 'output' in attempt ? timingOf(attempt.extras) : undefined
    if (timing) return pacedResponse(reply, request.url, request.signal, timing)
    return toResponse(reply, request.url, request.signal)
  }

  function write(request: ModelRequest, attempt: RecordedAttempt): WireAnswer {
    const context = {
      request: toWireRequest(request),
      replyId: replyId(run.trace, attempt.step),
      timestamp: attempt.at,
    }
    if ('error' in attempt) return request.wire.writeError(attempt.error, context)
    const { output, extras } = attempt
    return request.wire.writeReply(fromModelOutput(output), { ...context, ...(extras && { extras }) })
  }

  function callTool(name: string, args: unknown[], isAsync: boolean): unknown {
    let tool: RecordedTool
    try {
      tool = takeTool(name, args)
    } catch (error) {
      if (isRetakeError(error)) events.miss(error)
      if (isAsync) return Promise.reject(error)
      throw error
    }
    const { result } = tool
    if (!isAsync && !result.promise) return returnStored(result)
    return finished(tool).then(() => returnStored(result))
  }

  /** The recorded call that this is. @throws the miss where there is none */
  function takeTool(name: string, args: unknown[]): RecordedTool {
    const given = toToolInput(name, args)
    const input = comparison.redaction?.toolInput(given) ?? given
    const open = tools.filter(({ call, used, asked }) => !used && call.toolName === name && isAsked(asked))
    const tool = open.find(({ call }) => equalJson(call.toolInput, input))
    if (!tool) throw missedTool(name, input, open[0])
    tool.used = true
    return tool
  }

  function missedTool(name: string, input: JsonValue, closest: RecordedTool | undefined) {
    const received = masked(input, createMask(latest))
    const differences = closest ? compareValues(closest.call.toolInput, received) : []
    return explainToolMiss({ tool: name, closest, differences, received }, run, place)
  }

  /**
   * Recorded requests that were not made; the error for them, for requests over HTTP, and for calls of tools that this
   * run wraps and did not call, unless `allowed`.
   */
  function unused(allowed: boolean): { count: number; error?: RetakeError } {
    const open = run.calls.filter(({ served, attempts }) => served < attempts.length)
    const left = run.tools.filter(
      (tool) => !tool.used && (isHttp(tool) || (wrapped.has(tool.call.toolName) && isAsked(tool.asked))),
    )
    if (allowed || open.length + left.length === 0) return { count: open.length }
    return { count: open.length, error: explainUnused(open, left, run, place) }
  }

  /** The text of the last reply given, where that is a final answer. */
  function answerSoFar(): string | undefined {
    const last = run.calls.findLast(({ served }) => served > 0)
    const attempt = last?.attempts[last.served - 1]
    return attempt && 'output' in attempt ? finalAnswerOf(attempt.output) : undefined
  }

  const http = createHttpReplayer(run.tools.filter(isHttp), { comparison, place, served: events.served, finished })

  return { answer, answerHttp: http.answer, callTool, unused, answerSoFar, wrapped }
}

/** A call is open once the reply that asks for it was given; a call of the agent's own code always is. */
const isAsked = (asked: RecordedCall | undefined): boolean => !asked || asked.served > 0

const replyId = ({ id }: Trace, step: number): string => `${id.replace(/[^A-Za-z0-9_-]/g, '')}-${step}`
