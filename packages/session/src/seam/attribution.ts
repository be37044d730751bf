import type { RetakeError } from '@retake/trace'
import { LateRequestError, UnattributedRequestError } from '../errors.ts'
import { currentScope, type TestScope } from '../scope.ts'
import { type SeamSession, shared } from './shared.ts'
import { isForbidden, isWatched } from './without-cassette.ts'
import { withoutCassetteError } from './without-cassette-error.ts'

/** Whose request this is: a session's, nobody's (undefined), or one that must be refused. */
export type Owner = { session: SeamSession } | { refusal: RetakeError } | undefined

/** The session of this async context, or the only one active; for the guard, which blames nobody. */
export function sessionHere(): SeamSession | undefined {
  const scope = currentScope()
  if (scope) return scope.ended ? undefined : sessionOf(scope)
  return shared.active.size === 1 ? [...shared.active][0] : undefined
}

/** The session of this context's test, where that test is over. */
export function endedSessionHere(): SeamSession | undefined {
  const scope = currentScope()
  return scope?.ended ? scope.seam : undefined
}

/** True where a request of this context may be a session's: the test has one, or there is no test and somebody has one. */
export function concernsSession(scope = currentScope()): boolean {
  return scope ? Boolean(scope.seam ?? scope.refusal) || isWatched() : shared.active.size > 0 || shared.strict
}

/** The session by which a connection is judged, and when the connection is opened: the test may be over. */
export interface Judge {
  session: SeamSession
  when: 'during' | 'after' | 'outside'
}

/** Who judges a connection of this context: a session that replays. Without a context that is any, or the latest. */
export function judgeHere(): Judge | undefined {
  const scope = currentScope()
  if (scope) {
    const session = scope.seam
    if (!session?.replaying) return undefined
    return { session, when: scope.ended || !shared.active.has(session) ? 'after' : 'during' }
  }
  if (shared.active.size === 0) return shared.replayed && { session: shared.replayed, when: 'outside' }
  const session = [...shared.active].find(({ replaying }) => replaying)
  return session && { session, when: 'during' }
}

const modelRequest = 'a model request'

/** Decides whose request this is. A refusal is remembered by every test it may belong to. */
export function ownerOf(url: string, what = modelRequest): Owner {
  const scope = currentScope()
  if (scope) {
    if (scope.refusal) return { refusal: scope.refusal }
    const session = scope.ended ? undefined : sessionOf(scope)
    if (session) return { session }
    if (scope.ended && scope.seam) return { refusal: lateRequest(scope.label, url, what) }
    if (what !== modelRequest || !isForbidden(new URL(url))) return undefined
    const refusal = withoutCassetteError(scope.label, url)
    // Also one that was made in time, and decided when the test was over: what decides is loaded for the first of them.
    if (scope.ended) shared.late.push(refusal)
    else shared.outside?.refused(scope, url)
    return { refusal }
  }
  const active = [...shared.active]
  // A test that shared such a request with others stays refused when the others have ended.
  if (active.length === 1 && active[0] && !shared.mixed.has(active[0])) return { session: active[0] }
  if (active.length === 0) {
    if (!shared.strict && (what !== modelRequest || !isForbidden(new URL(url)))) return undefined
    const refusal = new UnattributedRequestError(
      `${what} was made while no cassette was active: ${withoutQuery(url)}\n` +
        '  Nothing may be sent here (replay or CI). Make the call inside a test that has a cassette.',
      { url: withoutQuery(url), active: [] },
    )
    shared.late.push(refusal)
    return { refusal }
  }
  const labels = active.map((session) => session.label)
  const refusal = new UnattributedRequestError(
    `${what} outside every test cannot be attributed: ${formatCount(active.length)} active\n` +
      `  request  ${withoutQuery(url)}\n` +
      `  active   ${labels.slice(0, 3).join(', ')}${labels.length > 3 ? `, and ${labels.length - 3} more` : ''}\n` +
      '  Run these tests one after the other, start the server inside the test, or pass `cassette.fetch` to the client.',
    { url: withoutQuery(url), active: labels },
  )
  for (const session of active) {
    shared.mixed.add(session)
    session.fail(refusal)
  }
  return { refusal }
}

/** The running session of this context's test, or without a test the only one there is; nobody else can be meant. */
export function certainOwner(): SeamSession | undefined {
  const session = sessionHere()
  return session && (currentScope() || !shared.mixed.has(session)) ? session : undefined
}

/** True where a session that may have made this request, which is for no model, looks at it. */
export function concernsHttp(url: URL): boolean {
  const scope = currentScope()
  const concerned = scope ? (scope.seam ? [scope.seam] : []) : [...shared.active]
  return concerned.some((session) => session.http(url) !== 'leave')
}

const formatCount = (count: number): string => (count === 1 ? 'several cassettes were' : `${count} cassettes are`)

/** The refusal of a request whose test is over. It fails nobody else, so it waits to be reported. */
export function lateRequest(test: string, url: string, what = 'a model request'): LateRequestError {
  const refusal = new LateRequestError(
    `the test "${test}" made ${what} after it had ended: ${withoutQuery(url)}\n` +
      '  Await everything the agent starts before the test returns.',
    { test, url: withoutQuery(url) },
  )
  if (currentScope()?.alone) throwUncaught(refusal)
  else shared.late.push(refusal)
  return refusal
}

/** Where no integration asks for it, every runner hears of it as of an error that nobody caught. */
const throwUncaught = (error: Error): void => {
  setImmediate(() => {
    throw error
  })
}

/** Queries can hold keys. */
export const withoutQuery = (url: string): string => url.split(/[?#]/, 1)[0] ?? url

const sessionOf = ({ seam }: TestScope): SeamSession | undefined => (seam && shared.active.has(seam) ? seam : undefined)
