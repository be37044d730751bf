import { Fault, type JsonValue, readJson, reportFaults, toStoredJson } from '@retake/trace'
import type { AdapterChunk, AdapterRequest } from './adapter.ts'
import { findCassetteFault } from './adapter-cassette-shape.ts'

/** One request and the pieces of its reply, in the order in which they came. */
export interface AdapterCassetteEntry {
  request: AdapterRequest
  chunks: AdapterChunk[]
}

/** What an adapter was asked and what it answered (AgentsKit, `eval/replay`). */
export interface AdapterCassette {
  version: 1
  seed?: string | number
  metadata?: Record<string, unknown>
  entries: AdapterCassetteEntry[]
}

/** A cassette with copies of what is given; empty without. */
export const createAdapterCassette = ({ seed, metadata, entries }: Partial<AdapterCassette> = {}): AdapterCassette => ({
  version: 1,
  ...(seed !== undefined && { seed }),
  ...(metadata !== undefined && { metadata: structuredClone(metadata) }),
  entries: (entries ?? []).map(copyEntry),
})

/** Tools carry functions, which no cassette holds. */
export const copyEntry = ({ request, chunks }: AdapterCassetteEntry): AdapterCassetteEntry => ({
  request: copyRequest(request),
  chunks: structuredClone(chunks),
})

export function copyRequest(request: AdapterRequest): AdapterRequest {
  const stored = toStoredJson(request, 'the request of an adapter') as unknown as AdapterRequest
  return withDates(stored)
}

/** Indented by two, without a final newline. */
export const serializeAdapterCassette = (cassette: AdapterCassette): string => JSON.stringify(cassette, null, 2)

/**
 * The cassette in a text; the times of its messages are dates again.
 * @param path of the file, for messages
 * @throws CassetteCorruptError with line and column
 */
export function parseAdapterCassette(text: string, path?: string): AdapterCassette {
  const value = readJson(text, path)
  return reportFaults(text, path, () => toAdapterCassette(value))
}

/** @throws Fault for a value that is none */
export function toAdapterCassette(value: JsonValue): AdapterCassette {
  const fault = findCassetteFault(value)
  if (fault) throw new Fault(fault.reason, fault.path)
  const cassette = value as unknown as AdapterCassette
  return { ...cassette, entries: cassette.entries.map((entry) => ({ ...entry, request: withDates(entry.request) })) }
}

const withDates = (request: AdapterRequest): AdapterRequest => ({
  ...request,
  messages: request.messages.map((message) => ({ ...message, createdAt: new Date(message.createdAt) })),
})
