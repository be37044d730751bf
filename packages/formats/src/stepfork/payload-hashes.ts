import type { TokenObject } from '../json/tokens.ts'
import { headOf } from './bundle.ts'
import { stepforkHash } from './canonical.ts'

export type HashMember = 'input_hash' | 'output_hash'

/** What each hash of an event covers. A payload that must be there is listed as such. */
const covered: Record<string, Partial<Record<HashMember, string>>> = {
  run_start: { input_hash: 'input' },
  llm_request: { input_hash: 'input' },
  tool_call: { input_hash: 'input' },
  llm_response: { output_hash: 'output' },
  tool_result: { output_hash: 'output' },
  state_change: { input_hash: 'before', output_hash: 'after' },
  error: { output_hash: 'details' },
  run_end: { output_hash: 'output' },
}

/**
 * The hashes an event should have: of each payload that stands in it, null included.
 * @throws UnsupportedError for a payload that has no canonical text
 */
export function payloadHashes(event: TokenObject): Partial<Record<HashMember, string>> {
  const hashes: Partial<Record<HashMember, string>> = {}
  for (const [member, payload] of Object.entries(covered[headOf(event).type] ?? {}) as [HashMember, string][]) {
    const value = event.get(payload)
    if (value !== undefined) hashes[member] = stepforkHash(value)
  }
  return hashes
}
