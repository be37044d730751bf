import { mapTexts } from '@retake/providers'
import { type JsonValue, maskSecrets } from '@retake/trace'
import { createRunSecrets } from '../record/run-secrets.ts'

/** Hides the keys of this process and of a request: what did not match is shown, and may be anything. */
export function createMask(
  request: Parameters<ReturnType<typeof createRunSecrets>['see']>[0] | undefined,
): (text: string) => string {
  const secrets = createRunSecrets()
  if (request) secrets.see(request)
  const literals = secrets.literals()
  return (text) => maskSecrets(text, literals)
}

export const masked = <T>(value: T, mask: (text: string) => string): T => mapTexts(value as JsonValue, mask) as T
