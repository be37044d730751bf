import { anthropicMessages } from '../anthropic-messages/wire.ts'
import { toBody, writeAwsHttpError, writeFrameError } from '../aws-error.ts'
import { brokenEnd } from '../http-error.ts'
import { jsonHeaders } from '../sse.ts'
import type { WireAnswer, WireError, WriteContext } from '../wire.ts'
import { isStreaming, toAnthropic } from './route.ts'
import { toFrames } from './write-stream.ts'

/** Errors are of AWS; inside a stream one may be of Anthropic, as an event among the others. */
export const writeError = (error: WireError, context: WriteContext): WireAnswer => {
  if (error.status >= 400) return writeAwsHttpError(error)
  const end = brokenEnd(error)
  if (!isStreaming(context.request)) {
    const body = end ? '' : JSON.stringify(toBody(error))
    return { status: 200, headers: { ...jsonHeaders }, body, ...(end && { end }) }
  }
  const isOfAws = !end && (error.error === null || /exception$/i.test(error.type ?? ''))
  const request = toAnthropic(context.request)
  if (!isOfAws) return toFrames(anthropicMessages.writeError(error, { ...context, request }))
  // What had arrived, as if the rest were missing.
  const {
    end: _,
    body,
    ...answer
  } = toFrames(anthropicMessages.writeError({ ...error, kind: 'cut' }, { ...context, request }))
  return { ...answer, body: [...body, writeFrameError(error)] }
}
