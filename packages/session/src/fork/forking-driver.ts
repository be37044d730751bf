import { relative } from 'node:path'
import { toHttpCall } from '@retake/providers'
import { RetakeError, type ToolResultPayload, type TraceStep } from '@retake/trace'
import type { Driver, DriverContext, ToolInvocation } from '../driver.ts'
import { UnusedStepsError } from '../errors.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { RecordingDriver } from '../record/recording-driver.ts'
import type { RecordedRun } from '../replay/recorded-run.ts'
import { createReplayer, type ReplayOptions } from '../replay/replayer.ts'
import { servedSteps } from '../replay/replaying-driver.ts'
import type { ModelRequest } from '../seam/shared.ts'
import { toToolInput } from '../tools/tool-input.ts'

export interface Forking {
  /** The parent up to the fork point, to be served. */
  run: RecordedRun
  point: TraceStep
  parent: string
  replay: ReplayOptions
  /** Takes the run over from the fork point on; it has the beginning already. */
  recording: RecordingDriver
}

/**
 * A fork is a replay until the agent comes to the fork point, where something else happens than did; from there on it is
 * a recording.
 */
export function createForkingDriver(
  context: DriverContext,
  { run, point, parent, replay, recording }: Forking,
): Driver {
  let reached = false
  let replayed = 0
  const replayer = createReplayer(
    run,
    replay,
    { ...context, path: parent },
    {
      served() {
        replayed++
      },
      miss: context.fail,
      refuse: context.refuse,
      goOn(request) {
        reached = true
        replayed--
        return recording.answer(request, true)
      },
    },
  )
  const isAtTool = point.type === 'tool_call' || point.type === 'tool_result'
  const { toolCallId, toolName } = point.payload as ToolResultPayload

  async function answer(request: ModelRequest): Promise<Response> {
    try {
      if (replayer.isOpen() && (!reached || replayer.knows(request))) return await replayer.answer(request)
      if (!reached && isAtTool) return context.refuse(request, passedBy())
    } catch (error) {
      if (error instanceof RetakeError) return context.refuse(request, error)
      throw error
    }
    reached = true
    return recording.answer(request)
  }

  async function answerHttp(request: HttpRequest): Promise<Response> {
    try {
      const call = await toHttpCall(request)
      if (!reached || replayer.http.has(call)) return await replayer.http.answer(request, call)
    } catch (error) {
      if (error instanceof RetakeError) return (await request.fromMock()) ?? context.refuseHttp(request, error)
      throw error
    }
    return recording.answerHttp(request)
  }

  function callTool(invocation: ToolInvocation): unknown {
    const where = placeOf(invocation)
    if (where === 'child') return recording.callTool(invocation)
    return replayer.tools.callTool(invocation)
  }

  /** Whose call this is: one of the beginning, or what comes behind it. Where it is neither, the beginning misses it. */
  function placeOf({ name, args }: ToolInvocation): 'parent' | 'child' {
    try {
      const { tool } = replayer.tools.find({ name, args })
      if (tool?.result.toolCallId === toolCallId && isAtTool) reached = true
      if (tool) return 'parent'
      const expected = recording.expects(name, toToolInput(name, args))
      if (expected?.toolCallId === toolCallId && isAtTool) reached = true
      return expected || reached ? 'child' : 'parent'
    } catch (error) {
      if (error instanceof RetakeError) return reached ? 'child' : 'parent'
      throw error
    }
  }

  const formatPoint = (): string =>
    isAtTool
      ? `step ${point.index}, the ${point.type === 'tool_call' ? 'call' : 'result'} of "${toolName}"`
      : `step ${point.index}`

  const details = { path: context.path, parent, test: context.test, steps: [point.index], requests: run.calls.length }

  const passedBy = () =>
    new UnusedStepsError(
      `the agent went on without coming to the fork point, ${formatPoint()}\n  parent  ${relative(process.cwd(), parent)}\n` +
        `  A fork at a tool needs that tool wrapped: \`cassette.tools({ ${toolName} })\`.`,
      details,
    )

  const notReached = () =>
    new UnusedStepsError(
      `the ${context.runKind} ended before the fork point, ${formatPoint()}; nothing was written\n  parent  ${relative(process.cwd(), parent)}\n` +
        '  Most often an early return, or a thrown error that was swallowed.',
      details,
    )

  return {
    answer,
    answerHttp,
    callTool,
    wrapsTool: (name) => replayer.tools.wrapped.add(name),
    trace: () => (reached ? recording.trace() : servedSteps(run)),
    extras: () => (reached ? recording.extras() : run.extras),
    calls: () => ({ live: recording.calls().live, replayed }),
    async finish(errors, end) {
      const { error } = replayer.unused(replay.allowUnused)
      const wrong = errors.length > 0 ? undefined : reached ? error : notReached()
      if (!wrong) return recording.finish(errors, end)
      // What still runs is told of only where nothing else is wrong.
      return { kind: 'failed', unused: 0, error: wrong }
    },
    finishAtExit(errors, end) {
      const wrong = errors.length > 0 || reached ? undefined : notReached()
      return wrong ? { kind: 'failed', unused: 0, error: wrong } : recording.finishAtExit(errors, end)
    },
  }
}
