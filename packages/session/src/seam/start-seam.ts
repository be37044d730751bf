import { wrapGlobals } from './install-seam.ts'
import { interceptFetch } from './intercept.ts'
import { listenBeforeMsw2 } from './msw2.ts'
import { type SeamSession, shared } from './shared.ts'
import { seamConnect, watchSockets } from './socket-clients.ts'
import { stopSocketLayer } from './socket-layer.ts'
import { reconnectIdleSockets } from './undici-sockets.ts'

/** From now on requests are looked at. */
export function startSeam(): void {
  shared.hooks ??= { fetch: interceptFetch, connect: seamConnect, rest: stopSocketLayer }
  wrapGlobals()
  watchSockets()
}

/** A cassette starts: requests of its context belong to it from now on. */
export function startSession(session: SeamSession): void {
  startSeam()
  listenBeforeMsw2()
  if (shared.active.size === 0) {
    // A late request of an ended test may have started it.
    stopSocketLayer()
    reconnectIdleSockets(shared.undiciSockets)
  }
  shared.active.add(session)
}

/** A cassette ends; the last one takes layer 2 with it. */
export function endSession(session: SeamSession): void {
  shared.active.delete(session)
  if (session.replaying && session.ofTest) shared.replayed = session
  if (shared.active.size === 0) stopSocketLayer()
}
