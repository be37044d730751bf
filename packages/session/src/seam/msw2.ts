import { isForProvider, respond, type SocketRequestEvent } from './socket-request.ts'

/**
 * MSW 2 patches `fetch` and `node:http` above the sockets and judges a request before layer 2 sees it. Its interceptors
 * (0.41) leave themselves on the global object while they are on.
 */
interface Msw2Interceptor {
  emitter: {
    prependListener(event: 'request', listener: Listener): void
    listeners(event: 'request'): Listener[]
  }
}
type Listener = (event: SocketRequestEvent) => Promise<void>

const interceptors = ['client-request-interceptor', 'fetch-interceptor', 'xhr-interceptor'].map(Symbol.for)

/** Listens before the handlers of an MSW 2 that is on; it removes all listeners when it closes. */
export function listenBeforeMsw2(): void {
  for (const name of interceptors) {
    const emitter = (globalThis as { [name: symbol]: Partial<Msw2Interceptor> | undefined })[name]?.emitter
    if (emitter && 'prependListener' in emitter && !emitter.listeners('request').includes(answerBeforeMsw2)) {
      emitter.prependListener('request', answerBeforeMsw2)
    }
  }
}

/** Listeners are awaited one after the other, so one that never ends keeps the handlers from an answered request. */
async function answerBeforeMsw2(event: SocketRequestEvent): Promise<void> {
  if (isForProvider(event) && (await respond(event))) await new Promise(() => {})
}
