import type { Cassette, CassetteOptions } from '@retake/session'
import { loadTrace, type Trace } from '@retake/trace'
import { chatCall } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { chatLoop, toolScript } from './chat-loop.ts'
import { inTest, temporaryCassette } from './in-test.ts'

export const lookup = (n: number) => chatCall(`call_${n}`, 'lookup', { n })
export const refund = (n: number) => chatCall(`call_r${n}`, 'refund', { n })

export type Fork = NonNullable<CassetteOptions['fork']>

/** An agent whose model looks three orders up at once, refunds one, and answers with all results. */
const turns = [[lookup(1), lookup(2), lookup(3)], [refund(2)]]
const results = { lookup: (n: number): unknown => `order ${n}`, refund: (n: number): unknown => `refunded ${n}` }

/** Records the parent, stops its provider, and gives what forks it. */
export async function forks(options: CassetteOptions = {}) {
  const file = await temporaryCassette()
  const runs: string[] = []
  const agent = (url: string) => (cassette: Cassette) =>
    chatLoop(
      url,
      cassette.tools({
        lookup: async ({ n }: { n: number }) => {
          runs.push(`lookup ${n}`)
          return results.lookup(n)
        },
        refund: async ({ n }: { n: number }) => {
          runs.push(`refund ${n}`)
          return results.refund(n)
        },
      }),
    )
  const provider = await startFakeProvider({ replies: toolScript(...turns) })
  await inTest(file.path, options, agent(provider.url))
  await provider.stop()
  runs.length = 0
  const child = file.path.replace('.cassette.json', '.fork.cassette.json')
  return {
    path: file.path,
    child,
    runs,
    parentTrace: () => loadTrace(file.path),
    childTrace: () => loadTrace(child),
    fork: (fork: Fork, more: CassetteOptions = {}, url = provider.url) =>
      inTest(file.path, { ...options, ...more, fork }, agent(url)),
    [Symbol.asyncDispose]: file[Symbol.asyncDispose],
  }
}

export const stepOf = ({ steps }: Trace, toolName: string, nth: number): number =>
  steps.filter(
    ({ type, payload }) => type === 'tool_result' && (payload as { toolName: string }).toolName === toolName,
  )[nth - 1]?.index ?? -1
