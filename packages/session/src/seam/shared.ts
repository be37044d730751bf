import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import type { Wire } from '@retake/providers'
import type { JsonObject, RetakeError } from '@retake/trace'
import type { HttpPolicy } from '../http/http-policy.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { TestScope } from '../scope.ts'
import { followUndiciSockets, type UndiciSockets } from './undici-sockets.ts'

/** A session as the seam sees it. */
export interface SeamSession {
  readonly label: string
  readonly replaying: boolean
  /** False where others than tests with a scope run in this process: they may do what they like afterwards. */
  readonly ofTest: boolean
  /** Hosts and URLs that retake leaves alone. */
  allows(url: URL): boolean
  /** Like `allows`, for a bare connection. */
  allowsHost(host: string, port: number | undefined): boolean
  /** The wire of a URL that the user named in `providers`. */
  wireOf(url: URL): Wire | undefined
  /** Takes the whole life of one model request. */
  answer(request: ModelRequest): Promise<Response>
  /** What becomes of a request that is for no model. */
  readonly http: HttpPolicy
  answerHttp(request: HttpRequest): Promise<Response>
  /** Remembers what went wrong, so that the test fails even if the agent swallows it. */
  fail(error: RetakeError): void
  /** Says something once, in no way that fails the test. */
  notice(message: string): void
}

/** A request that reached one of the layers and is meant for a model. */
export interface ModelRequest {
  url: string
  method: string
  headers: Headers
  /** The body as it was sent, and parsed. */
  text: string
  body: JsonObject
  wire: Wire
  signal: AbortSignal | undefined
  /** Options of `fetch` that the live call keeps, such as a dispatcher. */
  init?: RequestInit | undefined
}

/**
 * What the current async context is doing below retake: `retake` is our own call to a provider, `seen` a request that
 * layer 1 looked at and let pass, or the inside of a wrapped tool; `http2` a connection of `node:http2`, which no layer
 * answers; a trial is a call for a request that is for no model.
 */
export type Way = 'retake' | 'seen' | 'http2' | Trial

/** A call that a mock of the user may answer. */
export interface Trial {
  /** True once it reached a real connection. */
  live: boolean
  /** False where it may not: only a mock can answer it then. */
  readonly open: boolean
}

const isOwnCall = (way: Way | undefined): boolean => way === 'retake' || typeof way === 'object'

export type Fetch = typeof globalThis.fetch
export type Connect = Socket['connect']

/** What the thin wrappers call once a cassette was opened; until then they cost one comparison. */
export interface SeamHooks {
  fetch(input: string | URL | Request, init: RequestInit | undefined, below: Fetch): Promise<Response>
  connect(socket: Socket, args: unknown[], original: Connect): Socket
  /** Takes everything off that comes with a cassette. */
  rest(): void
}

/** What becomes of model requests before there is a cassette. */
export interface OutsideCassettes {
  /** Starts the seam for the first of them that may have to be refused. */
  load(): Promise<void>
  allows(url: URL): boolean
  /** A test made one, and was refused. */
  refused(scope: TestScope, url: string): void
}

/** The globals that the code of a test file has, where a runner gives it others than this process has: Jest. */
export type Realm = Pick<typeof globalThis, 'JSON' | 'Date'> &
  Pick<typeof globalThis, 'Error' | 'RangeError' | 'ReferenceError' | 'SyntaxError' | 'TypeError' | 'URIError'> & {
    /** Not in jsdom. */
    fetch?: Fetch
  }

interface Shared {
  way: AsyncLocalStorage<Way>
  /** The functions that were there when retake was loaded. */
  originalFetch: Fetch
  /** Our wrapper of `net.Socket.prototype.connect`, once it is in place. */
  connect: Connect | undefined
  hooks: SeamHooks | undefined
  realm?: Realm | undefined
  /** Followed from the moment retake is loaded: a test may use a connection that is older than its cassette. */
  undiciSockets: UndiciSockets
  outside?: OutsideCassettes | undefined
  /** Sessions that have started and not ended, in this process. */
  active: Set<SeamSession>
  /** Sessions that a request outside every test may have belonged to, beside others. */
  mixed: WeakSet<SeamSession>
  /** Errors of tests that were over when they happened. */
  late: RetakeError[]
  /** True once a cassette of this test file replays, or may not be recorded. */
  strict: boolean
  /** The latest session of this test file that has replayed and ended. */
  replayed: SeamSession | undefined
}

// One state a process, also where a bundler or a test runner loads this file twice.
const globals = globalThis as { [key: symbol]: unknown }
const key = Symbol.for('retake.seam')
const way = new AsyncLocalStorage<Way>()
globals[key] ??= {
  way,
  undiciSockets: followUndiciSockets(
    () => isOwnCall(way.getStore()),
    // In a file with cassettes no connection outlives the time between two of them.
    () => !shared.hooks || shared.active.size > 0,
  ),
  originalFetch: globalThis.fetch,
  connect: undefined,
  hooks: undefined,
  active: new Set(),
  mixed: new WeakSet(),
  late: [],
  strict: false,
  replayed: undefined,
} satisfies Shared
export const shared = globals[key] as Shared
