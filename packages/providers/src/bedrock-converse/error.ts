import { toBody, writeAwsHttpError, writeFrameError } from '../aws-error.ts'
import { frameHeaders } from '../event-frames.ts'
import { brokenEnd } from '../http-error.ts'
import { jsonHeaders } from '../sse.ts'
import type { WireAnswer, WireError, WriteContext } from '../wire.ts'
import { isStreaming } from './route.ts'
import { writeParts } from './write-stream.ts'

export const writeError = (error: WireError, context: WriteContext): WireAnswer => {
  if (error.status >= 400) return writeAwsHttpError(error)
  const end = brokenEnd(error)
  const ended = end ? { end } : {}
  if (!isStreaming(context.request)) {
    return { status: 200, headers: { ...jsonHeaders }, body: end ? '' : JSON.stringify(toBody(error)), ...ended }
  }
  const { parts, chunks = [] } = error
  const frames = parts ? writeParts(parts, { ...context, extras: { chunks } }, error.afterParts) : []
  return {
    status: 200,
    headers: { ...frameHeaders },
    body: end ? frames : [...frames, writeFrameError(error)],
    ...ended,
  }
}
