import { createRequire } from 'node:module'
import net from 'node:net'
import { ConfigError } from '@retake/trace'
import { connectIsOurs } from './install-seam.ts'
import { shared } from './shared.ts'
import type { answerSocketRequest } from './socket-request.ts'

type Listener = typeof answerSocketRequest

/**
 * Where `@mswjs/interceptors` announces the requests of all sockets. Internal: each copy of the package registers its
 * own in `__MSW_INTERCEPTORS_REGISTRY` when it is first used, and the last one stays.
 */
export interface RequestSource {
  /** Patches the sockets for the first owner, and takes the patches off with the last. */
  apply(owner: object): void
  dispose(owner: object): void
  emitter: {
    /** Adds a listener before those that are there. */
    earlyOn(event: 'request', listener: Listener): void
    removeListener(event: 'request', listener: Listener): void
  }
}

/** The part of the package that holds the patches. */
interface SocketPatches {
  subscriptions: (() => void)[]
  setup(): void
}

const registryOf = () =>
  (globalThis as { __MSW_INTERCEPTORS_REGISTRY?: Map<symbol, unknown> }).__MSW_INTERCEPTORS_REGISTRY

/** The source of the copy that was used last, by whomever. */
export const registeredSource = (): RequestSource | undefined =>
  registryOf()?.get(Symbol.for('node-http-request-source')) as RequestSource | undefined

/** The source that a user's MSW 3 uses, or nock; else that of the copy which the user's MSW would load, else retake's. */
export function findSource(owner: object): RequestSource {
  const known = registeredSource()
  if (known) return known
  const interceptor = new (loadInterceptors().HttpRequestInterceptor)()
  interceptor.apply()
  const source = registeredSource()
  if (!source) throw new Error('[retake] @mswjs/interceptors registered no source of requests')
  source.apply(owner)
  interceptor.dispose()
  return source
}

/**
 * Puts the patches of an active source over the guard again: another copy of the package that closed has restored what
 * it had found, or an MSW listened before retake was loaded.
 */
export function patchAgain(): void {
  const patches = registryOf()?.get(Symbol.for('socket-interceptor')) as SocketPatches | undefined
  if (!patches || !shared.connect) return
  for (let undo = patches.subscriptions.pop(); undo; undo = patches.subscriptions.pop()) undo()
  if (!connectIsOurs()) net.Socket.prototype.connect = shared.connect
  patches.setup()
}

interface Interceptors {
  HttpRequestInterceptor: new () => { apply(): void; dispose(): void }
}

/**
 * `require` of ESM keeps it synchronous: it happens in the middle of a request.
 * @throws ConfigError where a runner's own `require` knows no ESM
 */
function loadInterceptors(): Interceptors {
  const require = createRequire(import.meta.url)
  try {
    const msw = createRequire(`${process.cwd()}/package.json`).resolve('msw/node')
    const theirs = createRequire(msw)('@mswjs/interceptors/http')
    if (typeof theirs.HttpRequestInterceptor === 'function') return theirs
  } catch {
    // No msw, or one whose interceptors work above the sockets.
  }
  try {
    return require('@mswjs/interceptors/http')
  } catch (error) {
    if (!isSyntaxError(error)) throw error
    throw new ConfigError(
      'a client that does not use fetch cannot be replayed here: the pools vmThreads and vmForks of Vitest 4 do not let retake load what it needs.\n' +
        '  Use the pool forks or threads, or Vitest 5.',
    )
  }
}

/** Also one of another realm. */
const isSyntaxError = (error: unknown): boolean => (error as Partial<Error> | undefined)?.name === 'SyntaxError'
