import type { TraceCaptureOptions } from '@retake/formats'
import type { ModelInput, RetakeError, StepExtras, Trace } from '@retake/trace'
import type { CassetteTraceCapture } from './capture-trace.ts'
import type { ForkOptions } from './fork/fork-options.ts'
import type { ProviderRoute } from './own-routes.ts'
import type { RedactRule } from './redact/redact-rules.ts'
import type { RunEnd } from './run-end.ts'
import type { ScriptedReply } from './script/scripted-reply.ts'
import type { CassetteWrite } from './write-cassette.ts'

/** A tool of an agent: a function, or an object with one (`execute`, `run`, `invoke`). */
export type AnyTool = unknown

/** What a test may do: replay, or record where there is no file (`auto`); only replay; record again; nothing (`off`). */
export type Mode = 'auto' | 'replay' | 'update' | 'off'

/** What a test gets from `useCassette()`. */
export interface Cassette {
  readonly name: string
  /** Absolute path of the cassette file. */
  readonly path: string
  readonly state: 'recording' | 'replaying' | 'off'
  /** The run so far, v2 model. */
  readonly trace: Trace
  /** What its replies carried beside it, by step: token counts. */
  readonly extras: readonly StepExtras[]
  /** The seam for clients with a `fetch` option. */
  readonly fetch: typeof fetch
  /**
   * Record and replay tools. In replay the recorded result is returned and the tool does not run; other arguments than
   * recorded are a miss.
   */
  tools<T extends Record<string, AnyTool>>(tools: T): T
  tool<F extends (...args: never[]) => unknown>(name: string, fn: F): F
  /**
   * Collects what the application decides beside the traffic: routes, policies, actions. The cassette does not hold it;
   * `fixture()` gives both together.
   */
  captureTrace(options?: TraceCaptureOptions): CassetteTraceCapture
}

/** Options of one cassette; those of the project are the defaults of all. */
export interface CassetteOptions {
  /** Instead of the name made of the test. */
  name?: string
  /** Default `auto`. Under CI it is `replay`, unless `RETAKE=update` is in the environment. */
  mode?: Mode
  /** Format of a new file; one that is there keeps its own. Default `v3`. */
  format?: 'v3' | 'v2'
  /** `sequence` serves the recorded replies in their order, whatever is asked. Default `strict`. */
  match?: 'strict' | 'sequence'
  /** Request paths that are not compared: `params.temperature`, `messages[0].content`, `tools[*].description`. */
  ignore?: string[]
  /** Changes a copy of a request before it is compared, on the recorded and the received side. */
  normalize?: (request: ModelInput) => ModelInput
  /**
   * Takes texts out of requests, replies, tool inputs and results before they are compared or written: what a pattern
   * matches, what stands at a path (`messages[0].content`, or `toolInput.card`, `result.token` wherever the call stands),
   * or what a function gives for a text and its place. The second time, a rule must change nothing.
   */
  redact?: RedactRule[]
  /**
   * What a wrapped tool does in a replay: its recorded result is given (`replay`, the default); it runs, and its result
   * must be the recorded one (`run`); it runs, and nobody looks (`live`).
   */
  tools?: 'replay' | 'run' | 'live'
  /**
   * Requests that are for no model, outside wrapped tools: recorded and replayed (the default), left alone, or refused.
   * Loopback and telemetry are always left alone.
   */
  http?: 'record' | 'allow' | 'block'
  /** Hosts, URLs and patterns that are left alone. A text without a scheme is a host, or `host:port`. */
  allow?: (string | RegExp)[]
  /** URLs of models that are not recognised by themselves, and what they speak: `openai.chat`, `anthropic.messages` … */
  providers?: ProviderRoute[]
  /** Recorded requests may be left over at the end. Default false. */
  allowUnused?: boolean
  /** The most requests that a recording makes to providers. Default 50. */
  maxLiveRequests?: number
  /** When a recorded reply comes: at once, or as it came. Files without times, and v2, have none. Default `instant`. */
  pace?: 'instant' | 'recorded'
  /**
   * What `Date` says in the test: the present (`live`, the default), the time at which the recording began, or a time of
   * yours. It stands still there.
   */
  clock?: 'live' | 'recorded' | Date
  /**
   * Replays this file instead of the test's own cassette, in every mode: one of retake, or of another tool that holds what
   * an SDK needs (docs/formats.md). A path, from the folder of the test file.
   */
  from?: string
  /** Starts as a recorded run, and goes another way from one of its steps on. */
  fork?: ForkOptions
  /** No recording: the model says this. */
  script?: ScriptedReply[]
}

/** How a test ended, as its runner saw it. */
export type TestOutcome = 'passed' | 'failed' | 'skipped'

/** What became of one cassette; what reporters count. Plain JSON but for `errors`. */
export interface CassetteResult {
  kind: 'replayed' | 'recorded' | 'updated' | 'waiting' | 'unchanged' | 'scripted' | 'failed' | 'discarded' | 'off'
  path: string
  /** Requests that went to a provider. */
  liveCalls: number
  /** Requests answered from the cassette. */
  replayedCalls: number
  /** Recorded requests that were not used. */
  unused: number
  /** Of a test that failed: recorded requests that it did not come to. */
  unreached?: number
  /** Of a fork: the cassette that it starts as. */
  parent?: string
  /** Options in force that let a run pass which is not quite what was recorded. */
  inForce?: string[]
  /** What the session found wrong, in order, also what the agent swallowed. Empty unless `failed`. */
  errors: RetakeError[]
}

/** One cassette in use, seen from a test runner. */
export interface CassetteSession {
  readonly cassette: Cassette
  /** Misses and refusals so far, also those the agent swallowed. */
  readonly errors: readonly RetakeError[]
  /**
   * Ends the cassette: later requests of this test are refused. Writes the file if it was recorded, the test passed and
   * nothing was wrong; a file is replaced atomically or not at all. Never throws; what is wrong is in `errors`.
   * `end` is told of a run that is no test: it is recorded, and compared in a replay.
   */
  finish(outcome: TestOutcome, end?: RunEnd): Promise<CassetteResult>
  /** The same for a run whose process is about to be gone. `write` is what is still to be written. */
  finishAtExit(end: RunEnd): CassetteResult & { write?: CassetteWrite }
}

/** Whose run a cassette holds, as messages call it: of a test, of `createSession()`, of a command. */
export type RunKind = 'test' | 'session' | 'run'

export interface OpenCassette extends CassetteOptions {
  name: string
  path: string
  /** Resolved: see `resolveMode`. */
  mode: Mode
  /** Full name of the test, for messages and the header. */
  test: { file: string; name: string }
  /** [test] */
  runKind?: RunKind
  /** True under CI: a missing cassette is an error instead of a recording. */
  ci: boolean
  /**
   * True for a test that may make no model call: a missing cassette is an error at the first one, not at once.
   */
  lazy?: boolean
  /** Of a fork: absolute path of the cassette it starts as; `path` is where the fork itself is kept. */
  parent?: string
  /** An update does not replace the cassette: it waits beside it, as a take, to be accepted. [false] */
  review?: boolean
  /** Id of the trace. [that of the file it replaces, else a new one] */
  id?: string
  /** What messages call the replies of a script. [the option: `script`, `fork.then`] */
  scriptName?: string
  /** The command that records it again, for messages. [that of the runner, or RETAKE=update] */
  again?: string
  /** Paths of the cassettes that other tests of the file have by their titles, where a runner knows them. */
  others?: () => readonly string[]
  /** Asked before a model call or wrapped tool is answered; what it gives refuses it. */
  refuseUse?: () => RetakeError | undefined
  /** Called while recording, when the model has replied; for a stream when all of it has come. */
  onReply?: (reply: RecordedReply) => void
}

/** A reply that was just recorded, for somebody who waits. Nothing of what it says. */
export interface RecordedReply {
  /** 1 for the first request of the run. */
  request: number
  /** Names of the tools it asks for. */
  tools: string[]
  /** Where the provider counts them. */
  tokens?: { input: number; output: number }
  /** Milliseconds since the request, failed attempts included. */
  duration: number
}
