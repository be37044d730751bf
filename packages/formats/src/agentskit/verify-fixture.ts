import { checkReadable } from '../check-readable.ts'
import type { FormatReport } from '../run-format.ts'
import { isFixture, parseAgentskit } from './read-fixture.ts'

/** Whether a text keeps the schema, the limits and the causal order of a fixture. */
export function verifyFixture(text: string, path: string): FormatReport {
  const check = checkReadable(() => {
    const { cassette, traces } = parseAgentskit(text, path)
    return `${cassette.entries.length} request(s), ${traces.length} trace(s)`
  })
  const version = isFixture(text) ? 'agentskit.chat.replay 1' : 1
  return { format: 'agentskit', version, pass: check.status === 'pass', checks: [check] }
}
