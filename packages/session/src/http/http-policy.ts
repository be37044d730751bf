import { isLoopback, isTelemetry } from '@retake/providers'
import type { Allowance } from '../allowance.ts'
import type { CassetteOptions } from '../cassette.ts'

/** What becomes of a request that is for no model: it is recorded or replayed, left alone, or refused. */
export type HttpPolicy = (url: URL) => 'record' | 'leave' | 'block'

/** What is left alone may connect, too. */
export function createHttpPolicy(allowance: Allowance, http: CassetteOptions['http'] = 'record'): HttpPolicy {
  const isLeft = (url: URL) => isLoopback(url.hostname) || isTelemetry(url) || allowance.url(url) || http === 'allow'
  return (url) => {
    if (!isLeft(url)) return http === 'block' ? 'block' : 'record'
    allowance.letPass(url)
    return 'leave'
  }
}
