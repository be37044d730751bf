import { type ModelError, maskMarkers, maskSecrets, type SecretLiteral } from '@retake/trace'
import { mapTexts } from './map-texts.ts'
import type { WireError } from './wire.ts'

/**
 * The payload of a failed attempt; the ids of its parts are the run's already. What a provider says of a failure quotes
 * keys and ids, which are masked.
 */
export function toModelError(
  { parts, message, error: body, ...rest }: WireError,
  secrets: readonly SecretLiteral[] = [],
): ModelError {
  const mask = (text: string) => maskMarkers(maskSecrets(text, secrets))
  return {
    event: 'model_error',
    ...(mapTexts(rest, mask) as typeof rest),
    message: mask(message),
    ...(body !== undefined && { error: mapTexts(body, mask) }),
    ...(parts && { parts }),
  }
}
