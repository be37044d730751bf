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
  /** The paragraphs of the message but for the list of differences. */
  brief?: { where: string; more: string; next: string }
}

export interface FailureText {
  /** What is wrong, in one line. */
  message: string
  /** What a mismatch is made of, where it happened and what to do, ready to print below the message. */
  difference?: string
}

export interface FailureOptions {
  style: Style
  /** Columns of the terminal, of which 100 are used at most. [100] */
  width?: number | undefined
}

const widest = 100
const narrowest = 40

/**
 * What a failed test says: the first thing that was wrong, and a line for each of the others. Runners paint a message
 * in one colour, so that all but its first line stands below it.
 */
export const renderFailure = (error: Failure, others: readonly Failure[], options: FailureOptions): FailureText => {
  const [message = '', ...lines] = error.message.split('\n')
  const also = others.map((other) => `  - ${other.name}: ${other.message.split('\n', 1)[0]}`)
  const difference = [
    ...(renderMismatch(error, options) ?? [lines.join('\n').replace(/^\n+/, '')]),
    ...(also.length > 0 ? [['  also in this test:', ...also].join('\n')] : []),
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
  return { message, ...(difference !== '' && { difference }) }
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

/** In the order of the message: where, the evidence, what there is to say of it, and what to do. */
const renderMismatch = (error: Failure, options: FailureOptions): string[] | undefined => {
  const evidence = renderEvidence(error, options)
  const { brief } = error.details as Partial<Evidence>
  return evidence === undefined || !brief ? undefined : [brief.where, evidence, brief.more, brief.next]
}

const renderEvidence = (
  { code, details }: Failure,
  { style, width: columns = widest }: FailureOptions,
): string | undefined => {
  const width = Math.max(narrowest, Math.min(widest, columns))
  if (code !== 'RETAKE_CASSETTE_MISMATCH') return undefined
  const { differences, recorded, received, tool, arguments: args, gave } = details as Partial<Evidence>
  if (!differences?.length) return undefined
  if (tool !== undefined) {
    return renderToolDifference({ tool, ...args, ...(gave && { of: 'result' }), differences, style, width })
  }
  return recorded && received && renderRequestDifference({ recorded, received, differences, style, width })
}
