import { isJsonObject, parseJson } from '@retake/trace'
import { formatEvent, frameHeaders } from '../event-frames.ts'
import { writeOthers } from '../reply-members.ts'
import type { ReplyExtras, WireAnswer } from '../wire.ts'
import { stopPlace } from './read-stream.ts'

/** An event ends with its data and a blank line. */
const dataOf = (event: string): string => event.slice(event.indexOf('data: ') + 'data: '.length, -2)

/** The events of Anthropic's own stream, each in a frame of AWS. */
export const toFrames = (answer: WireAnswer, extras?: ReplyExtras): WireAnswer => ({
  ...answer,
  headers: { ...frameHeaders },
  body: [answer.body].flat().map((event) => toFrame(dataOf(String(event)), extras)),
})

const toFrame = (text: string, extras: ReplyExtras | undefined): Uint8Array => {
  const event = parseJson(text)
  const isLast = isJsonObject(event) && event.type === 'message_stop'
  const json = isLast ? JSON.stringify({ ...event, ...writeOthers(extras, stopPlace) }) : text
  return formatEvent('chunk', { bytes: Buffer.from(json).toString('base64') })
}
