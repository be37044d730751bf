import { type Body, parseValue, UnreadableError } from './said.ts'

export interface Frame {
  /** `messageStart`, or `throttlingException` of a failure. */
  type: string
  isError: boolean
  payload: Body
}

export const isFrames = (headers: Readonly<Record<string, string>>): boolean =>
  /amazon\.eventstream/.test(headers['content-type'] ?? '')

/** The frames of an AWS event stream, from its bytes as latin-1 text. Checksums are not looked at. */
export const parseFrames = (text: string): Frame[] => {
  const bytes = Buffer.from(text, 'latin1')
  const frames: Frame[] = []
  // What is left behind the last whole frame broke off.
  for (let at = 0; at + 16 <= bytes.length && at + bytes.readUInt32BE(at) <= bytes.length; ) {
    const end = at + bytes.readUInt32BE(at)
    if (end < at + 16) throw new UnreadableError('a frame shorter than its frame')
    const headersEnd = at + 12 + bytes.readUInt32BE(at + 4)
    const headers = bytes.subarray(at + 12, headersEnd).toString('latin1')
    const [, kind, type = ''] = /:(event-type|exception-type|error-code)...([\w-]+)/s.exec(headers) ?? []
    frames.push({
      type,
      isError: kind !== 'event-type',
      payload: parseValue(bytes.subarray(headersEnd, end - 4).toString('utf8')),
    })
    at = end
  }
  if (frames.length === 0) throw new UnreadableError('a stream without frames')
  return frames
}
