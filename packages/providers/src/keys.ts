import type { WireRequest } from './wire.ts'

/** True for a value that can be a key. Template strings turn a missing one into a word. */
export const hasValue = (value: string | null | undefined): boolean =>
  !['', 'undefined', 'null'].includes((value ?? '').trim())

/** A bearer token, or the `api-key` header or query parameter that Azure takes. */
export const hasOpenaiKey = ({ url, headers }: WireRequest): boolean =>
  hasBearer(headers) || hasValue(headers['api-key']) || hasValue(new URL(url).searchParams.get('api-key'))

export const hasBearer = (headers: Readonly<Record<string, string>>): boolean =>
  hasValue(/^bearer(?:\s+(.*))?$/i.exec((headers.authorization ?? '').trim())?.[1])
