import { compareRequests, equalRequests } from '@retake/compare'
import { findWire, type Wire, type WireRequest } from '@retake/providers'
import { formatPath, isRetakeError, type ModelInput } from '@retake/trace'
import { equivalentsOf } from './equivalents.ts'
import { isIgnored } from './ignored.ts'
import { type Mutation, mutationsOf } from './mutations.ts'

/** A change that strict replay judges wrongly. */
export interface Fault {
  /** Of what was changed, or what is different about a request that asks the same. */
  path: string
  kind: Mutation['kind'] | 'header' | 'url' | 'equivalent'
  /**
   * `served`: as if nothing had changed. `refused`: although it asks the same. `contradiction`: the two ways of comparing
   * disagree.
   */
  verdict: 'served' | 'refused' | 'contradiction'
}

export interface Tally {
  wire: string
  tried: number
  /** It differs from the recorded request, is refused, or is no request of this wire any more. */
  caught: number
  /** Served, and rightly. */
  ignored: number
  /** Rewritten without a change of what it asks, and served. */
  equivalent: number
  faults: Fault[]
}

/** Undefined for a request that is on no wire, or that retake refuses as it is. */
const readRecorded = (request: WireRequest): { wire: Wire; input: ModelInput } | undefined => {
  const wire = findWire(new URL(request.url), request.body)
  const input = wire && read(wire, request)
  return wire && input && { wire, input }
}

const read = (wire: Wire, request: WireRequest): ModelInput | undefined => {
  try {
    return wire.readRequest(request)
  } catch (error) {
    if (isRetakeError(error) && error.code === 'RETAKE_UNSUPPORTED') return undefined
    throw error
  }
}

const judge = (wire: Wire, recorded: ModelInput, changed: WireRequest): 'caught' | 'served' | 'contradiction' => {
  const received = findWire(new URL(changed.url), changed.body) === wire ? read(wire, changed) : undefined
  if (!received) return 'caught'
  const equal = equalRequests(recorded, received)
  if (equal !== (compareRequests(recorded, received).length === 0)) return 'contradiction'
  return equal ? 'served' : 'caught'
}

/**
 * Tries every mutation of the body of a request, those of its headers and URL that ask for something else, and every
 * rewriting that asks the same.
 */
export const tryMutations = (request: WireRequest): Tally | undefined => {
  const recorded = readRecorded(request)
  if (!recorded) return undefined
  const { wire, input } = recorded
  const tally: Tally = { wire: wire.name, tried: 0, caught: 0, ignored: 0, equivalent: 0, faults: [] }
  for (const mutation of mutationsOf(request.body)) {
    const verdict = judge(wire, input, { ...request, body: mutation.document })
    tally.tried++
    if (verdict === 'caught') tally.caught++
    else if (verdict === 'served' && isIgnored(wire.name, mutation, request)) tally.ignored++
    else tally.faults.push({ path: formatPath(mutation.path), kind: mutation.kind, verdict })
  }
  for (const { path, kind, changed } of outside(wire, request)) {
    const verdict = judge(wire, input, changed)
    tally.tried++
    if (verdict === 'caught') tally.caught++
    else tally.faults.push({ path, kind, verdict })
  }
  for (const { name, request: rewritten } of equivalentsOf(wire.name, request)) {
    const verdict = judge(wire, input, rewritten)
    if (verdict === 'served') tally.equivalent++
    else tally.faults.push({ path: name, kind: 'equivalent', verdict: verdict === 'caught' ? 'refused' : verdict })
  }
  return tally
}

/** What of a request beside its body changes what the model does. */
const outside = (
  wire: Wire,
  request: WireRequest,
): { path: string; kind: 'header' | 'url'; changed: WireRequest }[] => {
  const { url, headers } = request
  if (wire.name === 'anthropic.messages') {
    const betas = [headers['anthropic-beta'], 'brand-new-2027-01-01'].filter(Boolean).join(',')
    const changed = { ...request, headers: { ...headers, 'anthropic-beta': betas } }
    return [{ path: 'anthropic-beta', kind: 'header', changed }]
  }
  const parts = [/\/deployments\/[^/]+/, /[?&]api-version=[^&]+/].flatMap((part) => part.exec(url)?.[0] ?? [])
  return parts.map((path) => ({ path, kind: 'url', changed: { ...request, url: url.replace(path, `${path}x`) } }))
}
