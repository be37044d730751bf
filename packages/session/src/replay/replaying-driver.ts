import { mcpControlAnswer, toHttpCall } from '@retake/providers'
import { RetakeError, type Trace } from '@retake/trace'
import type { Driver, DriverContext, Ending } from '../driver.ts'
import type { HttpRequest } from '../http/http-request.ts'
import { toHttpResponse } from '../http/http-response.ts'
import { type RunEnd, toTerminal } from '../run-end.ts'
import type { ModelRequest } from '../seam/shared.ts'
import { explainEnd } from './explain-end.ts'
import type { RecordedRun } from './recorded-run.ts'
import { createReplayer, type ReplayOptions } from './replayer.ts'

/** Gives a recorded run back: no request leaves the machine. */
export function createReplayingDriver(run: RecordedRun, options: ReplayOptions, context: DriverContext): Driver {
  let replayed = 0
  const replayer = createReplayer(run, options, context, {
    served() {
      replayed++
    },
    miss: context.fail,
    refuse: context.refuse,
    goOn: () => Promise.reject(new TypeError('the run is complete')),
  })

  async function answer(request: ModelRequest): Promise<Response> {
    try {
      return await replayer.answer(request)
    } catch (error) {
      if (error instanceof RetakeError) return context.refuse(request, error)
      throw error
    }
  }

  async function answerHttp(request: HttpRequest): Promise<Response> {
    const control = mcpControlAnswer(request)
    if (control) return (await request.fromMock()) ?? toHttpResponse(control, request)
    try {
      return await replayer.http.answer(request, await toHttpCall(request))
    } catch (error) {
      if (error instanceof RetakeError) return (await request.fromMock()) ?? context.refuseHttp(request, error)
      throw error
    }
  }

  function finish(errors: readonly RetakeError[], end?: RunEnd): Ending {
    const { count, error } = replayer.unused(options.allowUnused)
    // A test that failed for another reason hears of that one.
    if (errors.length > 0) return { kind: 'failed', unused: count }
    const wrong = error ?? (end && !options.anyEnd ? otherEnd(end) : undefined)
    return wrong ? { kind: 'failed', unused: count, error: wrong } : { kind: 'replayed', unused: count }
  }

  /** Only who says how a run ended can end it otherwise than recorded; a test does so by what it expects. */
  function otherEnd(end: RunEnd): RetakeError | undefined {
    const { redaction, inForce } = options.comparison
    const received = toTerminal(end, { answer: replayer.answerSoFar(), redaction })
    return explainEnd(received, run, { ...context, inForce })
  }

  return {
    answer,
    answerHttp,
    wrapsTool: (name) => replayer.tools.wrapped.add(name),
    callTool: replayer.tools.callTool,
    trace: () => servedSteps(run),
    extras: () => run.extras,
    calls: () => ({ live: 0, replayed }),
    finish,
    finishAtExit: finish,
  }
}

/** The steps of the calls given so far; a prefix, so that its chain holds. */
export function servedSteps({ trace, calls }: RecordedRun): Trace {
  const last = calls.findLastIndex(({ served }) => served > 0)
  const next = calls[last + 1]
  return next ? { ...trace, steps: trace.steps.slice(0, next.step) } : trace
}
