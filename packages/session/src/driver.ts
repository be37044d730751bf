import type { RetakeError, StepExtras, Trace } from '@retake/trace'
import type { CassetteOptions, CassetteResult, RunKind } from './cassette.ts'
import type { HttpRequest } from './http/http-request.ts'
import type { RunEnd } from './run-end.ts'
import type { ModelRequest } from './seam/shared.ts'
import type { CassetteWrite } from './write-cassette.ts'

/** What a session does with its requests and tools: it records them, or gives recorded ones back. */
export interface Driver {
  answer(request: ModelRequest): Promise<Response>
  /** The same for a request that is for no model. */
  answerHttp(request: HttpRequest): Promise<Response>
  /** A tool of this name is wrapped, and may be called. */
  wrapsTool?(name: string): void
  callTool(invocation: ToolInvocation): unknown
  /** The run so far. */
  trace(): Trace
  /** What its replies carried beside it, by step; replaying, of all that is recorded. */
  extras(): readonly StepExtras[]
  /** Requests answered so far. */
  calls(): { live: number; replayed: number }
  /** Ends a run of a test that passed. Adds to the errors of the session what is wrong, and writes only if nothing is. */
  finish(errors: readonly RetakeError[], end?: RunEnd): Promise<Ending> | Ending
  /** The same for a process that is about to be gone: what is to be written is left to another one. */
  finishAtExit(errors: readonly RetakeError[], end: RunEnd): ExitEnding
}

/** A call of a wrapped tool. */
export interface ToolInvocation {
  name: string
  /** Of what the tool was given, what is its input. */
  args: unknown[]
  /** Runs the real tool. */
  run(): unknown
  /** True for an async function: it never throws at once. */
  isAsync: boolean
}

export type Ending = Pick<CassetteResult, 'kind' | 'unused'> & { error?: RetakeError }

export type ExitEnding = Ending | { write: CassetteWrite }

/** What a driver tells its session. */
export interface DriverContext {
  /** Remembers what went wrong, so that the test fails even if the agent swallows it. */
  fail(error: RetakeError): void
  /** Remembers it, and gives the answer for it. */
  refuse(request: ModelRequest, error: RetakeError): Response
  refuseHttp(request: HttpRequest, error: RetakeError): Response
  path: string
  test: string
  testFile: string
  runKind: RunKind
  /** The command that records it again, where it is not the runner's. */
  again: string | undefined
  /** What `Date` says in the test. */
  clock: CassetteOptions['clock']
}
