import type { CassetteMismatchError } from '@retake/session'
import type { RetakeError } from '@retake/trace'

/** The difference behind a mismatch, as Vitest prints it below the message; nothing for any other error. */
export const renderDifference = async (error: RetakeError): Promise<string | undefined> => {
  if (error.code !== 'RETAKE_CASSETTE_MISMATCH') return undefined
  const lines = (error as CassetteMismatchError).details.differences.map(({ path, before, after }) =>
    [
      `  ${path}`,
      ...(before === undefined ? [] : [`- ${JSON.stringify(before)}`]),
      ...(after === undefined ? [] : [`+ ${JSON.stringify(after)}`]),
    ].join('\n'),
  )
  return ['- Recorded', '+ Received', '', ...lines].join('\n')
}
