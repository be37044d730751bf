import type { AdapterChunk, AdapterFactory } from './adapter.ts'
import { type AdapterCassette, copyRequest, createAdapterCassette } from './adapter-cassette.ts'

/** An adapter that is being recorded. */
export interface RecordingAdapter {
  /** To be used instead of the adapter given. */
  readonly factory: AdapterFactory
  /** Grows with every request, in the order in which they were made. */
  readonly cassette: AdapterCassette
}

/**
 * Records what an adapter is asked and what it answers. A request is copied before the adapter sees it; a reply is as long
 * as it was read.
 * @throws UnsupportedError, at the request, for one that JSON cannot hold
 */
export function createRecordingAdapter(
  base: AdapterFactory,
  options: Pick<AdapterCassette, 'seed' | 'metadata'> = {},
): RecordingAdapter {
  const cassette = createAdapterCassette(options)
  const factory: AdapterFactory = {
    ...(base.capabilities !== undefined && { capabilities: base.capabilities }),
    createSource(request) {
      const entry = { request: copyRequest(request), chunks: [] as AdapterChunk[] }
      const source = base.createSource(request)
      cassette.entries.push(entry)
      return {
        abort: () => source.abort(),
        async *stream() {
          for await (const chunk of source.stream()) {
            entry.chunks.push(structuredClone(chunk))
            yield chunk
          }
        },
      }
    },
  }
  return { factory, cassette }
}
