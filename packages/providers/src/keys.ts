import type { WireRequest } from './wire.ts'

/** True for a value that can be a key. Template strings turn a missing one into a word. */
export const hasValue = (value: string | null | undefined): boolean =>
  !['', 'undefined', 'null'].includes((value ?? '').trim())

/** A bearer token, or the `api-key` header or query parameter that Azure takes. */
export const hasOpenaiKey = ({ url, headers }: WireRequest): boolean =>
  hasBearer(headers) || hasValue(headers['api-key']) || hasValue(new URL(url).searchParams.get('api-key'))

/** A signature of AWS, made with a key that it names, or a bearer token. */
export const hasAwsKey = (headers: Readonly<Record<string, string>>): boolean =>
  hasBearer(headers) || hasValue(/^AWS4-\S+ Credential=([^/,]+)/.exec(headers.authorization ?? '')?.[1])

export const hasBearer = (headers: Readonly<Record<string, string>>): boolean =>
  hasValue(/^bearer(?:\s+(.*))?$/i.exec((headers.authorization ?? '').trim())?.[1])
