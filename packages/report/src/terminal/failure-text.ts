import type { Difference } from '@retake/compare'
import type { JsonValue, ModelInput, RetakeError } from '@retake/trace'
import { renderRequestDifference } from './request-difference.ts'
import type { Style } from './style.ts'
import { renderToolDifference } from './tool-difference.ts'

/** An error of retake; one of another process has no class. */
type Failure = Pick<RetakeError, 'name' | 'message' | 'details'> & { code: string }

/** What of a mismatch's `details` is shown. */
interface Evidence {
  differences: Difference[]
  recorded?: ModelInput
  received?: ModelInput
  tool?: string
  arguments?: { recorded: JsonValue; received: JsonValue; asked: JsonValue | undefined }
  /** The tool ran, and gave something else. */
  gave?: true
  /** The message without the list of differences. */
  brief?: string
}

export interface FailureText {
  message: string
  /** What a mismatch is made of, ready to print below the message. */
  difference?: string
}

/** What a failed test says: the first thing that was wrong, and a line for each of the others. */
export const renderFailure = (error: Failure, others: readonly Failure[], style: Style): FailureText => {
  const also = others.map((other) => `  - ${other.name}: ${other.message.split('\n', 1)[0]}`)
  const list = also.length > 0 ? `\n\nalso in this test:\n${also.join('\n')}` : ''
  const difference = renderEvidence(error, style)
  const { brief } = error.details as Partial<Evidence>
  const message = difference !== undefined && typeof brief === 'string' ? brief : error.message
  return { message: message + list, ...(difference !== undefined && { difference }) }
}

/** Of a test that fails as another one does, which shows the evidence. `of`: how that one is found. */
export const renderSameFailure = (message: string, of: string): string => {
  const [what = '', ...lines] = message.split('\n')
  const place = lines.find((line) => line.startsWith('  cassette '))
  return [what, '', ...(place ? [place] : []), `  the same as in "${of}", which shows the difference`].join('\n')
}

/** Of a test that is marked to fail, which would hide it. */
export const formatHiddenFailure = (test: string, message: string): string =>
  `"${test}" is marked to fail, but its cassette must fit all the same.\n${message}`

const renderEvidence = ({ code, details }: Failure, style: Style): string | undefined => {
  if (code !== 'RETAKE_CASSETTE_MISMATCH') return undefined
  const { differences, recorded, received, tool, arguments: args, gave } = details as Partial<Evidence>
  if (!differences?.length) return undefined
  if (tool !== undefined) {
    return renderToolDifference({ tool, ...args, ...(gave && { of: 'result' }), differences, style })
  }
  return recorded && received && renderRequestDifference({ recorded, received, differences, style })
}
