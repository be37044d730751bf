import { equalJson, equalRequests } from '@retake/compare'
import { createHeldHistory, type HeldRun, type HttpCall } from '@retake/providers'
import {
  type JsonObject,
  type JsonValue,
  type ModelInput,
  type RetakeError,
  type SecretLiteral,
  type ToolUsePart,
  UnsupportedError,
} from '@retake/trace'
import { attemptOf } from '../attempt-of.ts'
import type { RecordedReply } from '../cassette.ts'
import type { Clock } from '../clock/clock.ts'
import type { ToolInvocation } from '../driver.ts'
import { callServer } from '../http/call-server.ts'
import type { HttpRequest } from '../http/http-request.ts'
import { masked, toStoredFailure } from '../http/stored-failure.ts'
import { toWireRequest } from '../miss.ts'
import type { ModelRequest } from '../seam/shared.ts'
import { runTool } from '../tools/run-tool.ts'
import { toStoredError, toStoredResult } from '../tools/stored-result.ts'
import { toToolInput } from '../tools/tool-input.ts'
import { describeReply } from './describe-reply.ts'
import type { ModelSource } from './model-source.ts'
import type { RunBeginning } from './run-beginning.ts'
import { createRunLog, type Exchange, type LoggedCall, replyOf, type ToolRun } from './run-log.ts'

// Captured at import: a test may install fake timers later.
const { setTimeout } = globalThis
const pause = (ms: number) => new Promise<void>((done) => void setTimeout(done, ms).unref())

/** Milliseconds that a body may take after its test. */
const patience = 300

export interface RecorderEvents {
  /** A request that could not be made, or a reply that retake could not give back. */
  refused(error: RetakeError): void
  /** The answer for a request or reply that was refused. */
  refusal(request: ModelRequest, error: RetakeError): Response
  /** The model replied. */
  replied(reply: RecordedReply): void
  /** Literal values that must not be stored. */
  secrets(): readonly SecretLiteral[]
}

export interface RecorderOptions {
  /** Who answers. */
  model: ModelSource
  beginning?: RunBeginning | undefined
  /** Shared with whoever answers the beginning. */
  history?: HeldRun | undefined
}

export type Recorder = ReturnType<typeof createRecorder>

/** Keeps the log of a run while it happens. */
export function createRecorder(
  clock: Clock,
  events: RecorderEvents,
  { model, beginning, history = createHeldHistory() }: RecorderOptions,
) {
  const log = createRunLog(beginning)
  /** Calls of replies that no tool has run yet, and calls that run. */
  const openCalls: LoggedCall[] = [...(beginning?.calls ?? [])]
  /** Tools that run, and which of all that was. */
  const pendingTools = new Map<LoggedCall, number>()
  /** Bodies of responses over HTTP that are still coming. */
  const unread = new Set<Promise<void>>()
  let startedTools = 0
  let latestTool = { at: 0, nth: 0 }

  /** `begun`: the run begins with this very request. */
  async function answer(request: ModelRequest, begun = false): Promise<Response> {
    const asked = history.resolve(request.wire, toWireRequest(request))
    const input = request.wire.readRequest(asked)
    const { exchange, startedAt } = open(request, input, begun)
    // No provider has heard of the replies that the run began with.
    const sent = beginning && asked.body !== request.body ? withBody(request, asked.body) : request
    return model.call(sent, {
      startedAt,
      handedOver(close) {
        exchange.handedOver = true
        exchange.close = close
      },
      refuse: (error) => events.refusal(request, error),
      ended(how) {
        if (!exchange.flight) return
        const at = clock.land(exchange.flight)
        exchange.flight = undefined
        if ('refused' in how) return events.refused(how.refused)
        exchange.attempts.push({ at, ...how })
        if ('reply' in how) {
          history.remember(asked, how.reply.held)
          const calls = how.reply.turn.parts.filter((part): part is ToolUsePart => part.type === 'tool_use')
          exchange.calls.push(
            ...calls.map(({ toolCallId, toolName, toolInput }) => ({ toolCallId, toolName, toolInput })),
          )
          openCalls.push(...exchange.calls)
          events.replied(describeReply(log, exchange, how.reply, at))
        }
      },
    })
  }

  /**
   * A request equal to one that has failed is its next attempt: SDKs and agents try again. Some SDKs tell which attempt
   * it is, so that two agents with the same question keep theirs apart.
   */
  function open(request: ModelRequest, input: ModelInput, begun: boolean): { exchange: Exchange; startedAt: number } {
    const flight = clock.take()
    const attempt = attemptOf(request.headers)
    const { startedAt } = flight
    const failed = log.exchanges.find(
      (exchange) =>
        !exchange.flight &&
        exchange.attempts.length > 0 &&
        !replyOf(exchange) &&
        (attempt === undefined || exchange.attempts.length === attempt) &&
        equalRequests(exchange.input, input),
    )
    if (failed) {
      return { exchange: Object.assign(failed, { flight, handedOver: false, close: undefined }), startedAt }
    }
    const exchange: Exchange = {
      request: toWireRequest(request),
      input,
      startedAt,
      attempts: [],
      flight,
      handedOver: false,
      close: undefined,
      calls: [],
      extraCalls: [],
      begun,
    }
    log.exchanges.push(exchange)
    return { exchange, startedAt }
  }

  /**
   * A tool whose input cannot be stored does not run: nobody could ask for it again. Of a result the agent gets what its
   * tool gave, also where that cannot be stored; then the recording is refused, not the agent.
   */
  function callTool({ name, args, run, isAsync }: ToolInvocation): unknown {
    let toolInput: JsonValue
    try {
      toolInput = toToolInput(name, args)
    } catch (error) {
      if (error instanceof UnsupportedError) events.refused(error)
      if (isAsync) return Promise.reject(error)
      throw error
    }
    const call = start(claim(name, toolInput) ?? own(name, toolInput, 'agent'), toolInput)
    return runTool(run, isAsync, {
      gave(value, promise) {
        finish(call, () => ({ ...toStoredResult(name, value), ...(promise && { promise }) }))
        return value
      },
      threw(error, promise) {
        finish(call, () => ({ ...toStoredError(name, error, events.secrets()), ...(promise && { promise }) }))
        throw error
      },
    })
  }

  /** Like a tool: the agent gets what the server gave. */
  function callHttp(request: HttpRequest, { origin, toolName, toolInput, toResult }: HttpCall): Promise<Response> {
    // An agent may bring the model's calls to a server by itself.
    const asked = origin === 'mcp' ? claim(toolName, toolInput, true) : undefined
    const call = start(asked ?? own(toolName, toolInput, origin), toolInput)
    call.origin = origin
    const body = Promise.withResolvers<void>()
    return callServer(request, {
      dropped: () => drop(call),
      handedOver(close) {
        if (call.run) call.run.close = close
        unread.add(body.promise)
      },
      ended(how) {
        unread.delete(body.promise)
        body.resolve()
        finish(call, () =>
          masked('answer' in how ? toResult(how.answer) : toStoredFailure(how.failure), events.secrets()),
        )
      },
    })
  }

  /** As if it had not been made. */
  function drop(call: LoggedCall): void {
    pendingTools.delete(call)
    delete call.run
  }

  function start(call: LoggedCall, toolInput: JsonValue): LoggedCall {
    call.run = { toolInput, startedAt: clock.stamp() }
    pendingTools.set(call, startedTools++)
    return call
  }

  function finish(call: LoggedCall, toResult: () => ToolRun['result']): void {
    const nth = pendingTools.get(call) ?? 0
    pendingTools.delete(call)
    // Times are whole milliseconds; which of two tools came first must be seen in them.
    const endedAt = latestTool.at === clock.stamp() && latestTool.nth > nth ? clock.later() : clock.stamp()
    latestTool = { at: endedAt, nth }
    const result = stored(toResult)
    if (call.run && result) Object.assign(call.run, { endedAt, result })
  }

  /** Undefined for what cannot be stored; the recording is refused then. */
  function stored<T>(make: () => T): T | undefined {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error
      events.refused(error)
      return undefined
    }
  }

  /** The open call of a reply that this is: same name and input, else the first of the name unless it must be `exact`. */
  function claim(name: string, toolInput: JsonValue, exact = false): LoggedCall | undefined {
    const named = openCalls.filter((call) => call.toolName === name)
    const asked = named.find((call) => equalJson(call.toolInput, toolInput)) ?? (exact ? undefined : named[0])
    if (asked) openCalls.splice(openCalls.indexOf(asked), 1)
    return asked
  }

  /** The call of a reply that this is exactly, and that no tool has run yet. */
  function expects(name: string, toolInput: JsonValue): LoggedCall | undefined {
    return openCalls.find((call) => call.toolName === name && equalJson(call.toolInput, toolInput))
  }

  /** A call that no reply asked for. */
  function own(toolName: string, toolInput: JsonValue, origin: LoggedCall['origin']): LoggedCall {
    const call: LoggedCall = { toolCallId: '', toolName, toolInput, origin }
    const beside = log.exchanges.at(-1)?.extraCalls ?? log.early
    beside.push(call)
    return call
  }

  /** Names of what is still running, for the error at the end of the test. */
  function running(): string[] {
    const requests = log.exchanges.flatMap((exchange, n) =>
      exchange.flight && !exchange.handedOver ? [`request ${n + 1}`] : [],
    )
    const calls = [...pendingTools.keys()].filter(({ run }) => !run?.close)
    return [...requests, ...calls.map(({ toolName, origin }) => (isHttp(origin) ? toolName : `tool "${toolName}"`))]
  }

  /**
   * A stream that the client took and never read to its end is an abort; a body that comes by itself, of which the client
   * wanted the status only, is none.
   */
  async function closeStreams(): Promise<void> {
    if (unread.size > 0) await Promise.race([Promise.all(unread), pause(patience)])
    for (const { flight, close } of log.exchanges) if (flight) close?.()
    for (const { run } of [...pendingTools.keys()]) run?.close?.()
  }

  const isEmpty = () => log.exchanges.length === 0 && log.early.length === 0

  /** Model calls and tools that run; a stream that is still coming is one. */
  const inFlight = () => log.exchanges.filter(({ flight }) => flight).length + pendingTools.size

  return { log, answer, callTool, callHttp, expects, running, closeStreams, isEmpty, inFlight }
}

function withBody(request: ModelRequest, body: JsonObject): ModelRequest {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  return { ...request, headers, body, text: JSON.stringify(body) }
}

const isHttp = (origin: LoggedCall['origin']): boolean => origin !== undefined && origin !== 'agent'
