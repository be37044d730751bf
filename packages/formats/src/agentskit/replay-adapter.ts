import { ConfigError, ReplayMissError } from '@retake/trace'
import type { AdapterFactory, AdapterRequest } from './adapter.ts'
import { type AdapterCassette, type AdapterCassetteEntry, copyEntry } from './adapter-cassette.ts'
import { identifyAdapterRequest } from './request-fingerprint.ts'

export interface ReplayAdapterOptions {
  /**
   * How a request finds its entry: the first unused one with the same request; the next one, whatever it asks; or the
   * first unused one with the same last message of the user. ['strict']
   */
  mode?: ReplayAdapterMode
}

export type ReplayAdapterMode = 'strict' | 'sequential' | 'loose'

const modes: readonly string[] = ['strict', 'sequential', 'loose']

/**
 * An adapter that answers from a cassette, of which it keeps a copy.
 * @throws ConfigError for another mode. Its `createSource` throws ReplayMissError for what the cassette does not have.
 */
export function createReplayAdapter(
  cassette: AdapterCassette,
  { mode = 'strict' }: ReplayAdapterOptions = {},
): AdapterFactory {
  if (!modes.includes(mode)) throw new ConfigError(`Invalid replay mode: ${String(mode)}`, { mode })
  const entries = cassette.entries.map(copyEntry)
  const find = mode === 'sequential' ? inOrder(entries) : byKey(entries, mode)
  return {
    createSource(request) {
      const { chunks } = find(request)
      return {
        abort() {},
        async *stream() {
          for (const chunk of chunks) yield structuredClone(chunk)
        },
      }
    },
  }
}

type Find = (request: AdapterRequest) => AdapterCassetteEntry

function inOrder(entries: readonly AdapterCassetteEntry[]): Find {
  let cursor = 0
  return () => {
    const entry = entries[cursor]
    if (!entry) {
      throw new ReplayMissError(`Replay exhausted at index ${cursor}`, { mode: 'sequential', index: cursor })
    }
    cursor++
    return entry
  }
}

function byKey(entries: readonly AdapterCassetteEntry[], mode: 'strict' | 'loose'): Find {
  const keyOf = mode === 'strict' ? identifyAdapterRequest : lastUserContent
  const unused = entries.map((entry) => ({ entry, key: keyOf(entry.request) }))
  return (request) => {
    const key = keyOf(request)
    const at = unused.findIndex((candidate) => candidate.key === key)
    const [found] = at === -1 ? [] : unused.splice(at, 1)
    if (found) return found.entry
    const reason =
      mode === 'strict' ? 'no matching request fingerprint' : `no entry for user message ${JSON.stringify(key)}`
    throw new ReplayMissError(`Replay miss (${mode}): ${reason}`, { mode })
  }
}

const lastUserContent = ({ messages }: AdapterRequest): string =>
  messages.findLast(({ role }) => role === 'user')?.content ?? ''
