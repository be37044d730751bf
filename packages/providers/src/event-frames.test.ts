import { expect, test } from 'vitest'
import { createFrameReader, formatEvent, formatException, formatFailure } from './event-frames.ts'

const read = (...pieces: Uint8Array[]) => {
  const events: string[] = []
  const reader = createFrameReader(({ data }) => events.push(data))
  for (const piece of pieces) reader.push(piece)
  reader.flush()
  return { events, seen: reader.seen }
}

const event = Buffer.from(formatEvent('chunk', { text: '日本 😀' }))

/** A frame that AWS sent, from a recorded stream of Converse. */
const recorded = Buffer.from(
  'AAAAngAAAFKOcXbACzpldmVudC10eXBlBwAMbWVzc2FnZVN0YXJ0DTpjb250ZW50LXR5cGUHABBhcHBsaWNhdGlvbi9qc29uDTptZXNzYWdlLXR5' +
    'cGUHAAVldmVudHsicCI6ImFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6QUJDREVGRyIsInJvbGUiOiJhc3Npc3RhbnQifX0BTps=',
  'base64',
)

test('a frame of AWS reads as its event, and is written as AWS writes it', () => {
  const payload = { p: 'abcdefghijklmnopqrstuvwxyzABCDEFG', role: 'assistant' }
  expect(read(recorded).events.map((data) => JSON.parse(data))).toEqual([{ messageStart: payload }])
  expect(Buffer.from(formatEvent('messageStart', payload))).toEqual(recorded)
})

test('frames come out whole from any cut', () => {
  const all = Buffer.concat([event, event])
  for (const at of all.keys()) {
    expect(read(all.subarray(0, at), all.subarray(at)).events).toEqual([
      '{"chunk":{"text":"日本 😀"}}',
      '{"chunk":{"text":"日本 😀"}}',
    ])
  }
})

test('exceptions and failures are errors, an event without payload is empty', () => {
  const frames = [formatException('throttlingException', 'busy'), formatFailure('Internal', 'Oops')]
  expect(read(...frames).events.map((data) => JSON.parse(data))).toEqual([
    { error: { exception: 'throttlingException', payload: 'busy' } },
    { error: { code: 'Internal', message: 'Oops' } },
  ])
})

test('a frame with one bit flipped anywhere is damaged, and nothing is read behind it', () => {
  for (const at of event.keys()) {
    const flipped = Buffer.from(event)
    flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at)
    const { events } = read(event, flipped, event)
    expect(events.slice(1)).not.toContain(events[0])
  }
})

test.each([
  ['nothing', Buffer.alloc(0), 'nothing'],
  ['a blank line', Buffer.from('\n\n'), 'nothing'],
  ['a page', Buffer.from('<html>Bad gateway</html>'), 'other text'],
  ['a word', Buffer.from('busy'), 'other text'],
  ['half a frame', event.subarray(0, 20), 'event stream'],
  ['a few bytes of one', event.subarray(0, 3), 'event stream'],
])('%s is seen as such', (_, bytes, seen) => {
  expect(read(bytes)).toEqual({ events: [], seen })
})
