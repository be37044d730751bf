import type { Socket } from 'node:net'
import { currentScope } from '../scope.ts'
import { failedConnect, targetOf } from './connect-target.ts'
import { type Connect, type OutsideCassettes, shared } from './shared.ts'

/** What a runner wants of model requests that belong to no cassette; undefined: nothing. */
export function watchOutside(outside: OutsideCassettes | undefined): void {
  shared.outside = outside
}

/** True where a model request of this context, which has no cassette, may have to be refused. */
export function isWatched(): boolean {
  const scope = currentScope()
  if (!scope) return shared.outside !== undefined
  return shared.outside !== undefined && !scope.seam && !scope.mayBeLive
}

/** Is a model request of this context, which has no cassette, refused? */
export const isForbidden = (url: URL): boolean => isWatched() && !isMocked() && !shared.outside?.allows(url)

/** A mock of undici answers below `fetch`; what it answers is no live call. */
function isMocked(): boolean {
  const dispatcher = (globalThis as { [key: symbol]: unknown })[Symbol.for('undici.globalDispatcher.1')]
  return /^Mock/.test((dispatcher as object | undefined)?.constructor?.name ?? '')
}

/**
 * Clients that do not use `fetch` are only seen when they connect, so without a cassette they are known by the host.
 * @returns undefined for a connection that may be made
 */
export function refusedConnect(socket: Socket, args: unknown[], original: Connect): Socket | undefined {
  const scope = currentScope()
  const way = shared.way.getStore()
  if (!scope || (way && way !== 'http2') || !isWatched()) return undefined
  const { host, port = 443 } = targetOf(args) ?? {}
  if (!host || !isProviderHost(host) || !isForbidden(new URL(`https://${host}:${port}`))) return undefined
  shared.outside?.refused(scope, `https://${host}`)
  return failedConnect(socket, new Error(`[retake] a test without a cassette may not call ${host}`), original)
}

/** The APIs whose official clients do not all use `fetch`, and the commonest others. */
const providerHosts = [
  'api.openai.com',
  'api.anthropic.com',
  'generativelanguage.googleapis.com',
  'api.mistral.ai',
  'api.groq.com',
  'api.deepseek.com',
  'api.x.ai',
  'openrouter.ai',
]
const providerDomains = /\.openai\.azure\.com$|^bedrock-runtime\.[\w-]+\.amazonaws\.com$|-aiplatform\.googleapis\.com$/

const isProviderHost = (host: string): boolean => providerHosts.includes(host) || providerDomains.test(host)
