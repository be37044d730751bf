import { type Fetch, shared } from '../seam/shared.ts'

/** True where something of the user may answer a request below retake: a patched fetch, an MSW, a MockAgent of undici. */
export const mocksMayAnswer = (below: Fetch, init: RequestInit | undefined): boolean =>
  below !== shared.originalFetch || hasInterceptors() || [...dispatchers(), dispatcherOf(init)].some(isMockAgent)

const globals = globalThis as { [key: symbol | string]: unknown }

const httpSource = Symbol.for('node-http-request-source')

const hasInterceptors = (): boolean =>
  (globals.__MSW_INTERCEPTORS_REGISTRY as Map<symbol, unknown> | undefined)?.has(httpSource) ||
  Symbol.for('fetch-interceptor') in globals

/** Where the copies of undici keep the dispatcher of everybody. */
const dispatchers = (): unknown[] => ['1', '2'].map((n) => globals[Symbol.for(`undici.globalDispatcher.${n}`)])

const dispatcherOf = (init: RequestInit | undefined): unknown =>
  (init as { dispatcher?: unknown } | undefined)?.dispatcher

const isMockAgent = (dispatcher: unknown): boolean =>
  typeof dispatcher === 'object' && dispatcher !== null && 'assertNoPendingInterceptors' in dispatcher
