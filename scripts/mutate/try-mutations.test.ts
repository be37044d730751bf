import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WireRequest } from '@retake/providers'
import { expect, test } from 'vitest'
import { allBuilt } from '../conformance/built/all-built.ts'
import { toRequest } from '../conformance/built/built.ts'
import { fullRequests } from './full-requests.ts'
import { tryMutations } from './try-mutations.ts'

const corpus = join(import.meta.dirname, '../../test/corpus/traffic')
const recorded = readdirSync(corpus)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => {
    const { request } = JSON.parse(readFileSync(join(corpus, name), 'utf8'))
    return request ? [[name, request] as [string, WireRequest]] : []
  })

test.each<[string, WireRequest]>([...Object.entries(fullRequests), ...recorded])(
  '%s: no change that a model would notice is served, and no other is refused',
  (name, request) => {
    const tally = tryMutations(request)
    // Retake refuses requests for hosted tools as they are.
    if (name === 'anthropic-server-tool.json') return expect(tally).toBeUndefined()
    expect(tally?.faults).toEqual([])
    expect(tally?.caught).toBeGreaterThan(10)
  },
)

test.each(allBuilt)('%s: no change of a documented request is served', (_, built) => {
  // The rewritings that ask the same are written in camel case.
  const requests = built.filter(({ request }) => !('generation_config' in request)).map(toRequest)
  const faults = requests.flatMap((request) => tryMutations(request)?.faults ?? [])
  expect(faults).toEqual([])
})
