import { isRetakeError, type VerifyCheck } from '@retake/trace'
import type { FormatReport } from '../run-format.ts'
import { isFixture, parseAgentskit } from './read-fixture.ts'

/** Whether a text keeps the schema, the limits and the causal order of a fixture. */
export function verifyFixture(text: string, path: string): FormatReport {
  const check = checkSchema(text, path)
  const version = isFixture(text) ? 'agentskit.chat.replay 1' : 1
  return { format: 'agentskit', version, pass: check.status === 'pass', checks: [check] }
}

function checkSchema(text: string, path: string): VerifyCheck {
  const name = 'schema'
  try {
    const { cassette, traces } = parseAgentskit(text, path)
    return { name, status: 'pass', detail: `${cassette.entries.length} request(s), ${traces.length} trace(s)` }
  } catch (error) {
    if (!isRetakeError(error)) throw error
    const { line, column } = error.details
    const [detail = ''] = error.message.split('\n')
    return {
      name,
      status: 'fail',
      code: error.code,
      ...(line !== undefined && { where: `line ${line}, column ${column}` }),
      detail,
    }
  }
}
