import type { StoredResult, WireError } from '@retake/providers'
import { maskSecrets, type SecretLiteral } from '@retake/trace'

/** A request that got no response: what `fetch` says of it, and as its class the code or why the client gave up. */
export const toStoredFailure = ({ kind, message, code }: WireError): StoredResult => ({
  error: message,
  errorName: kind === 'network' ? (code ?? kind) : kind,
})

/** Servers quote keys in what they complain of. */
export const masked = (result: StoredResult, secrets: readonly SecretLiteral[]): StoredResult =>
  'error' in result ? { ...result, error: maskSecrets(result.error, secrets) } : result

export function fromStoredFailure(stored: StoredResult): WireError {
  const { error, errorName = 'network' } = 'error' in stored ? stored : { error: 'the connection failed' }
  if (errorName === 'aborted') return { status: 0, kind: 'aborted', message: error }
  if (errorName === 'timeout') return { status: 0, kind: 'timeout', message: error, code: 'TimeoutError' }
  return { status: 0, kind: 'network', message: error, ...(errorName !== 'network' && { code: errorName }) }
}
