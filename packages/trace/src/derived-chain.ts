import { createChainHasher } from './chain-hasher.ts'
import type { HashedStep } from './step-hash.ts'
import type { TraceStep } from './trace.ts'

export type UnchainedStep = Pick<TraceStep, 'id' | 'index' | 'type' | 'timestamp' | 'payload'>

/**
 * Steps whose `prevHash` and `hash` are worked out when they are first read: hashing reads every byte of every request,
 * and a replay needs none of it. Payloads must be frozen, or a later change would be hashed as if it had been there; the
 * given steps must not be used again.
 */
export function withDerivedChain(steps: readonly UnchainedStep[]): TraceStep[] {
  const hash = createChainHasher()
  const hashes: string[] = []
  const hashOf = (index: number): string => {
    // Of what was given, so that a change of a step itself is found later.
    for (const source of steps.slice(hashes.length, index + 1)) {
      hashes.push(hash({ ...source, prevHash: hashes.at(-1) ?? null } satisfies HashedStep))
    }
    return hashes[index] as string
  }
  return steps.map((step, index) => {
    const chained = { ...step } as TraceStep
    derive(chained, 'prevHash', () => (index === 0 ? null : hashOf(index - 1)))
    derive(chained, 'hash', () => hashOf(index))
    return chained
  })
}

/** An ordinary member to everyone else: it prints, spreads and can be set. */
function derive<K extends 'prevHash' | 'hash'>(step: TraceStep, name: K, get: () => TraceStep[K]): void {
  const set = (value: TraceStep[K]): void => {
    Object.defineProperty(step, name, { value, writable: true, enumerable: true, configurable: true })
  }
  Object.defineProperty(step, name, { get, set, enumerable: true, configurable: true })
}
