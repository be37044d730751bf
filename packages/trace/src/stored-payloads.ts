import type { CassetteFile } from './cassette-file.ts'
import { toV3 } from './v3/to-v3.ts'

/**
 * The payload of each step as its file holds it, as compact JSON. In a v3 file a request holds only what is new in it,
 * so that equal texts can stand for different payloads.
 * @throws UnsupportedError for a v3 file that cannot be written
 */
export const storedPayloads = ({ trace, format }: Pick<CassetteFile, 'trace' | 'format'>): string[] => {
  const { steps } = format === 'v2' ? trace : toV3({ trace, extras: [] })
  return steps.map(({ payload }) => JSON.stringify(payload))
}
