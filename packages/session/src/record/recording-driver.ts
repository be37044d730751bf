import { basename } from 'node:path'
import {
  type Endpoint,
  type HeldRun,
  type HttpAnswer,
  isLoopback,
  mcpControlAnswer,
  toHttpCall,
} from '@retake/providers'
import { RetakeError, type TraceHeader, UnsupportedError } from '@retake/trace'
import { placeholderKey } from '../api-keys.ts'
import type { OpenCassette } from '../cassette.ts'
import type { Clock } from '../clock/clock.ts'
import type { Driver, DriverContext } from '../driver.ts'
import { LateRequestError, MissingApiKeyError, RecordingLimitError } from '../errors.ts'
import type { HttpRequest } from '../http/http-request.ts'
import { toHttpResponse } from '../http/http-response.ts'
import { toWireRequest } from '../miss.ts'
import { cassetteExists } from '../read-cassette.ts'
import type { Redaction } from '../redact/redaction.ts'
import type { RunEnd } from '../run-end.ts'
import { withoutQuery } from '../seam/attribution.ts'
import type { ModelRequest } from '../seam/shared.ts'
import type { CassetteWrite } from '../write-cassette.ts'
import type { ModelSource } from './model-source.ts'
import { createRecorder, type Recorder, type RecorderEvents } from './recorder.ts'
import type { RunBeginning } from './run-beginning.ts'
import { type RunLog, withoutUnanswered } from './run-log.ts'
import { createRunSecrets } from './run-secrets.ts'
import { type RecordedRun, toTrace } from './to-trace.ts'

export interface RecordingOptions {
  maxLiveRequests: number
  allowUnused: boolean
  format: 'v2' | 'v3'
  redaction: Redaction | undefined
  /** Of the trace. */
  header: TraceHeader
  clock: Clock
  /** Who answers. */
  model: ModelSource
  /** False for a run that leaves no file: then nothing but its model answers either. */
  writes: boolean
  /** Of `writeCassette`. */
  review?: boolean
  beginning?: RunBeginning
  history?: HeldRun
  onReply?: OpenCassette['onReply']
}

/** A driver that others build on. */
export interface RecordingDriver extends Driver {
  /** `begun`: the run begins with this very request. */
  answer(request: ModelRequest, begun?: boolean): Promise<Response>
  /** The call of a reply that this is exactly, and that no tool has run yet. */
  expects: Recorder['expects']
}

/** Records a run: real requests go out, and the file is written when the test has passed. */
export function createRecordingDriver(context: DriverContext, options: RecordingOptions): RecordingDriver {
  const { maxLiveRequests, format, redaction, header, clock, model, writes, review = false, onReply } = options
  const secrets = createRunSecrets()
  let live = 0
  let limitError: RecordingLimitError | undefined
  const events: RecorderEvents = {
    refused: context.fail,
    refusal: (request, error) => context.refuse(request, error),
    secrets: secrets.literals,
    replied: (reply) => onReply?.(reply),
  }
  const recorder = createRecorder(clock, events, options)
  const run = (end?: RunEnd, log: RunLog = recorder.log) =>
    toTrace(log, header, {
      secrets: secrets.literals(),
      redaction,
      ...(end && { ended: { at: clock.stamp(), end } }),
    })
  const writeOf = (recorded: RecordedRun): CassetteWrite => {
    const { path, test: name, testFile } = context
    const test = testFile ? { file: basename(testFile), name } : undefined
    return { path, recorded, format, ...(test && { test }), secrets: secrets.literals(), review }
  }

  async function answer(request: ModelRequest, begun = false): Promise<Response> {
    const refusal = model.isLive ? (missingKey(request, context) ?? overLimit()) : undefined
    if (refusal) return context.refuse(request, refusal)
    secrets.see(request)
    if (model.isLive) live++
    try {
      return await recorder.answer(request, begun)
    } catch (error) {
      if (error instanceof RetakeError) return context.refuse(request, error)
      throw error
    }
  }

  async function answerHttp(request: HttpRequest): Promise<Response> {
    if (!writes) return (await request.fromMock()) ?? context.refuseHttp(request, unscripted(request, context))
    const { endpoint, url, headers } = request
    const refusal = endpoint && (missingEndpointKey(endpoint, request, context) ?? overLimit())
    if (refusal) return context.refuseHttp(request, refusal)
    secrets.see({ url: url.href, headers })
    if (endpoint) live++
    try {
      const control = mcpControlAnswer(request)
      if (control) return await answerControl(request, control)
      return await recorder.callHttp(request, await toHttpCall(request))
    } catch (error) {
      if (error instanceof RetakeError) return context.refuseHttp(request, error)
      throw error
    }
  }

  function overLimit(): RetakeError | undefined {
    if (live < maxLiveRequests) return undefined
    limitError ??= new RecordingLimitError(
      `the agent made more than ${maxLiveRequests} live requests in one test; nothing was written\n` +
        '  A loop that does not stop? Otherwise raise `maxLiveRequests`.',
      { limit: maxLiveRequests, path: context.path, test: context.test },
    )
    return limitError
  }

  return {
    answer,
    answerHttp,
    callTool: recorder.callTool,
    expects: recorder.expects,
    trace: () => run().trace,
    extras: () => run().extras,
    calls: () => ({ live, replayed: 0 }),
    async finish(errors, end = {}) {
      const running = recorder.running()
      if (running.length > 0) return { kind: 'failed', unused: 0, error: stillRunning(running, context) }
      await recorder.closeStreams()
      if (errors.length > 0) return { kind: 'failed', unused: 0 }
      const error = options.allowUnused ? undefined : model.leftOver?.()
      if (error) return { kind: 'failed', unused: 0, error }
      if (!writes) return { kind: 'scripted', unused: 0 }
      if (recorder.isEmpty()) return { kind: 'discarded', unused: 0 }
      try {
        // A replay never needs it.
        const { writeCassette } = await import('../write-cassette.ts')
        return { kind: await writeCassette(writeOf(run(end))), unused: 0 }
      } catch (error) {
        if (error instanceof RetakeError) return { kind: 'failed', unused: 0, error }
        throw error
      }
    },
    finishAtExit(errors, end) {
      if (errors.length > 0) return { kind: 'failed', unused: 0 }
      if (!writes) return { kind: 'scripted', unused: 0 }
      const log = withoutUnanswered(recorder.log)
      if (log.exchanges.length + log.early.length === 0) return { kind: 'discarded', unused: 0 }
      const stopped = 'exitCode' in end ? { ...end, inFlight: recorder.inFlight() } : end
      return { write: writeOf(run(stopped, log)) }
    },
  }
}

/** A run without a recording has nothing to give for it, and nothing leaves the machine. */
function unscripted({ url }: HttpRequest, { path, test }: DriverContext): UnsupportedError {
  const where = withoutQuery(url.href)
  return new UnsupportedError(
    `a request that is for no model was made in a scripted run, which records nothing: ${where}\n` +
      `  Let it pass with \`allow: ['${url.host}']\` or \`http: 'allow'\`, or answer it with a mock.`,
    { name: 'HTTP in a scripted run', url: where, path, test },
  )
}

/** The server hears what it must know; a stream of its own is never opened. */
async function answerControl(request: HttpRequest, control: HttpAnswer): Promise<Response> {
  if (control.status === 405) return toHttpResponse(control, request)
  const sent = await request.send()
  if ('error' in sent) throw sent.error
  return sent.response
}

const missingEndpointKey = (
  { keyVariable }: Endpoint,
  { url, headers }: HttpRequest,
  context: DriverContext,
): RetakeError | undefined =>
  !isLoopback(url.hostname) && [url.href, ...headers.values()].some((text) => text.includes(placeholderKey))
    ? keyIsMissing(keyVariable, context)
    : undefined

function missingKey(request: ModelRequest, context: DriverContext): RetakeError | undefined {
  const wire = toWireRequest(request)
  const { hostname } = new URL(request.url)
  // A server on this machine may well want none.
  if (isLoopback(hostname)) return undefined
  const sent =
    Object.values(wire.headers).some((value) => value.includes(placeholderKey)) || request.url.includes(placeholderKey)
  if (request.wire.hasKey(wire) && !sent) return undefined
  return keyIsMissing(request.wire.keyVariable, context)
}

const keyIsMissing = (variable: string, { path, test }: DriverContext): MissingApiKeyError =>
  new MissingApiKeyError(
    `recording needs ${variable}, which is not set; nothing was sent and nothing was written\n` +
      `  test      ${test}\n  cassette  ${path}${cassetteExists(path) ? '' : ' (none yet)'}\n` +
      '  Set the key once and run it again; after that it replays without a key.',
    { variable, path, test },
  )

function stillRunning(running: string[], { path, test, runKind }: DriverContext): LateRequestError {
  return new LateRequestError(
    `the ${runKind} ended while the agent was still working: ${running.join(', ')}; nothing was written\n` +
      `  Await everything the agent starts before the ${runKind} ends.`,
    { test, path, running },
  )
}
