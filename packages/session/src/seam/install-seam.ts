import net from 'node:net'
import { type Connect, type Fetch, type Realm, shared } from './shared.ts'
import { isWatched, refusedConnect } from './without-cassette.ts'

const mark = Symbol.for('retake.wrapper')

/**
 * Prepares a test file, before any of its modules can capture `fetch`. It loads nothing that a test worker has not loaded
 * already; the rest comes with the first cassette.
 * @param realm the globals of the test file, where they are not those of this process
 */
export function installSeam(realm?: Realm): void {
  // A worker that keeps its modules comes here again with its next file.
  forgetFile()
  shared.realm = realm
  wrapGlobals()
}

/**
 * Puts the two thin wrappers in place: around the global `fetch` and around `net.Socket.prototype.connect`. Called once
 * more whenever a cassette starts.
 */
export function wrapGlobals(): void {
  wrapFetch(globalThis)
  if (shared.realm) wrapFetch(shared.realm)
  // Once: it stays where it is when another library patches over it, below that library's own pretence.
  if (!shared.connect) wrapConnect()
}

/**
 * A stub or mock of the user wins; a patch of MSW, which also wants the original fetch below it, gets the wrapper on top
 * again.
 */
function wrapFetch(globals: { fetch?: Fetch }): void {
  const below = globals.fetch
  if (!below || (below !== shared.originalFetch && !isLibraryPatch(below, globals))) return
  const wrapper: Fetch = function fetch(input, init) {
    if (shared.way.getStore()) return below.call(globals, input, init)
    if (shared.hooks) return shared.hooks.fetch(input, init, below)
    if (!shared.outside || !isWatched()) return below.call(globals, input, init)
    return shared.outside.load().then(() => wrapper(input, init))
  }
  Object.defineProperty(wrapper, mark, { value: true })
  globals.fetch = wrapper
}

/** Is an MSW on? 2 leaves a global under its symbol, 3 its registry: then an unknown fetch is its patch. */
function isLibraryPatch(current: Fetch, globals: object): boolean {
  if (mark in current || 'mock' in current) return false
  return Symbol.for('fetch-interceptor') in globals || '__MSW_INTERCEPTORS_REGISTRY' in globals
}

/** What the files of a worker share although each has globals of its own, as in `vmThreads`: the classes of Node. */
const place = Symbol.for('retake.connect')
const sockets: typeof net.Socket & { [place]?: { original: Connect; wrapper: Connect; leave(): void } } = net.Socket

function wrapConnect(): void {
  const former = sockets[place]
  former?.leave()
  const { connect } = net.Socket.prototype
  const original = former?.wrapper === connect ? former.original : connect
  const wrapper = function connect(this: net.Socket, ...args: unknown[]) {
    const refused = refusedConnect(this, args, original)
    if (refused) return refused
    if (!shared.hooks) return original.apply(this, args as Parameters<Connect>)
    return shared.hooks.connect(this, args, original)
  }
  shared.connect = wrapper as Connect
  net.Socket.prototype.connect = shared.connect
  sockets[place] = { original, wrapper: shared.connect, leave }
}

/** The file is over, and its globals with it. */
function leave(): void {
  forgetFile()
  shared.outside = undefined
  shared.hooks = undefined
}

function forgetFile(): void {
  shared.strict = false
  shared.replayed = undefined
  shared.hooks?.rest()
}

/** True while no other library has put its own `connect` over ours. */
export const connectIsOurs = (): boolean => net.Socket.prototype.connect === shared.connect
