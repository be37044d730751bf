import { checkWritable, isRetakeError, type RetakeError, type Trace } from '@retake/trace'
import { createAllowance } from './allowance.ts'
import { captureTrace } from './capture-trace.ts'
import type { Cassette, CassetteResult, CassetteSession, OpenCassette, RunKind, TestOutcome } from './cassette.ts'
import { freezeDate } from './clock/frozen-date.ts'
import { looseOptions } from './comparison.ts'
import type { Driver, DriverContext } from './driver.ts'
import { CassetteBusyError } from './errors.ts'
import { createHttpPolicy } from './http/http-policy.ts'
import { refusalAnswer } from './miss.ts'
import { createOwnRoutes } from './own-routes.ts'
import { planRun } from './plan-run.ts'
import type { RunEnd } from './run-end.ts'
import type { TestScope } from './scope.ts'
import { interceptFetch } from './seam/intercept.ts'
import { toResponse } from './seam/respond.ts'
import { type SeamSession, shared } from './seam/shared.ts'
import { endSession, startSeam, startSession } from './seam/start-seam.ts'
import { wrapTool, wrapTools } from './tools/wrap-tools.ts'

/** Cassettes that are being recorded in this process. */
const recording = new Set<string>()

/**
 * Opens a cassette and makes it the owner of the model requests of `scope`, or, without one, of the requests of its own
 * `fetch` and of those no test's context claims.
 *
 * @throws CassetteMissingError, CassetteCorruptError, CassetteConflictError, CassetteVersionError, CassetteBusyError
 */
export function openCassette(options: OpenCassette, scope?: TestScope): CassetteSession {
  if (options.mode !== 'off') startSeam()
  if (scope) scope.mayBeLive = true
  try {
    return open(options, scope)
  } catch (error) {
    // A test that swallows the error must not go on live.
    if (scope && isRetakeError(error)) scope.refusal = error
    throw error
  }
}

/** Instead of the command that records again. */
const otherFile = (runKind: RunKind): string =>
  `Then ${runKind === 'run' ? 'replay another file' : 'name another file in `from`'}: retake never writes to this one.`

function open(options: OpenCassette, scope: TestScope | undefined): CassetteSession {
  const errors: RetakeError[] = []
  const notices = new Set<string>()
  const allowance = createAllowance(options.allow)
  const wireOf = createOwnRoutes(options.providers)
  if (options.mode === 'off') return withoutCassette(options)
  const { state, path, name, parent, createDriver } = planRun(options)
  const { test, runKind = 'test' } = options
  const ofTest = scope !== undefined && !scope.alone
  const fail = (error: RetakeError) => {
    if (!errors.includes(error)) errors.push(error)
  }
  const context: DriverContext = {
    fail,
    refuse(request, error) {
      fail(error)
      return toResponse(refusalAnswer(request, error), request.url, request.signal)
    },
    refuseHttp(request, error) {
      fail(error)
      return toResponse(refusalAnswer(undefined, error), request.url.href, request.signal)
    },
    path,
    test: test.name,
    testFile: test.file,
    runKind,
    again: options.from === undefined ? options.again : otherFile(runKind),
    clock: options.clock,
  }
  const driver = withRefusal(createDriver(context), options.refuseUse, context)
  const seam: SeamSession = {
    label: test.name,
    replaying: state !== 'recording',
    ofTest,
    allows: allowance.url,
    allowsHost: allowance.host,
    wireOf,
    http: createHttpPolicy(allowance, options.http),
    answer: driver.answer,
    answerHttp: driver.answerHttp,
    fail,
    notice(message) {
      if (notices.has(message)) return
      notices.add(message)
      process.stderr.write(`[retake] ${message}\n`)
    },
  }
  start()
  const thaw = freeze()

  const cassette: Cassette = {
    name,
    path,
    state,
    get trace() {
      return driver.trace()
    },
    get extras() {
      return driver.extras()
    },
    fetch: (input, init) => interceptFetch(input, init, shared.originalFetch, seam),
    tools: (tools) => wrapTools(tools, driver),
    tool: (toolName, fn) => wrapTool(toolName, fn, driver),
    captureTrace: (given) => captureTrace(cassette, given),
  }
  const session: CassetteSession = { cassette, errors, finish, finishAtExit }
  if (scope) scope.session = session
  return session

  function start(): void {
    if (state === 'recording') {
      if (recording.has(path)) throw busy(path, runKind)
      checkWritable(path)
      recording.add(path)
    }
    if (ofTest && (state !== 'recording' || options.ci)) shared.strict = true
    if (scope) scope.seam = seam
    startSession(seam)
  }

  function freeze(): () => void {
    const at = frozenTime(options.clock, driver)
    return at === undefined ? () => {} : freezeDate(scope, at)
  }

  function release(): void {
    if (state === 'recording') recording.delete(path)
  }

  function counts() {
    const { live: liveCalls, replayed: replayedCalls } = driver.calls()
    const inForce = state === 'replaying' && !options.script ? looseOptions(options) : []
    return { path, liveCalls, replayedCalls, ...(parent && { parent }), ...(inForce.length > 0 && { inForce }) }
  }

  function finishAtExit(end: RunEnd): ReturnType<CassetteSession['finishAtExit']> {
    endSession(seam)
    thaw()
    release()
    const ending = driver.finishAtExit(errors, end)
    if ('write' in ending) return { ...counts(), kind: 'recorded', unused: 0, errors: [], write: ending.write }
    if (ending.error) fail(ending.error)
    return { ...counts(), kind: ending.kind, unused: ending.unused, errors: [...errors] }
  }

  async function finish(outcome: TestOutcome, end?: RunEnd): Promise<CassetteResult> {
    endSession(seam)
    thaw()
    if (outcome !== 'passed') {
      release()
      const kind = errors.length > 0 ? 'failed' : state === 'recording' ? 'discarded' : 'replayed'
      const left = state === 'replaying' && outcome === 'failed' ? await driver.finish(errors) : undefined
      return { ...counts(), kind, unused: 0, ...(left && { unreached: left.unused }), errors: [...errors] }
    }
    const { kind, unused, error } = await Promise.resolve(driver.finish(errors, end)).finally(release)
    if (error) fail(error)
    return { ...counts(), kind, unused, errors: [...errors] }
  }
}

/** A recording without steps and time is none: what is missing has no clock. */
function frozenTime(clock: OpenCassette['clock'], driver: Driver): number | undefined {
  if (clock === undefined || clock === 'live') return undefined
  return clock === 'recorded' ? driver.trace().createdAt || undefined : clock.getTime()
}

/** Lets nothing happen that `refuseUse` has a reason against. */
function withRefusal(driver: Driver, refuseUse: OpenCassette['refuseUse'], { fail, refuse }: DriverContext): Driver {
  if (!refuseUse) return driver
  return {
    ...driver,
    async answer(request) {
      const error = refuseUse()
      return error ? refuse(request, error) : driver.answer(request)
    },
    callTool(invocation) {
      const error = refuseUse()
      if (!error) return driver.callTool(invocation)
      fail(error)
      throw error
    },
  }
}

const busy = (path: string, runKind: RunKind) =>
  new CassetteBusyError(
    `two ${runKind}s record into one cassette at the same time\n  cassette  ${path}\n` +
      `  Give one of them another \`${runKind === 'test' ? 'name' : 'cassette'}\`, or run them one after the other.`,
    { path },
  )

/** `mode: 'off'`: nothing is touched. */
function withoutCassette({ name, path }: OpenCassette): CassetteSession {
  const cassette: Cassette = {
    name,
    path,
    state: 'off',
    trace: emptyTrace,
    extras: [],
    fetch: (input, init) => globalThis.fetch(input, init),
    tools: (tools) => tools,
    tool: (_name, fn) => fn,
    captureTrace: (given) => captureTrace(cassette, given),
  }
  const result: CassetteResult = { kind: 'off', path, liveCalls: 0, replayedCalls: 0, unused: 0, errors: [] }
  return { cassette, errors: [], finish: async () => result, finishAtExit: () => result }
}

const emptyTrace: Trace = { version: 2, id: 'off', createdAt: 0, steps: [] }
