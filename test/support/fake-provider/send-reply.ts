import { type ServerResponse, STATUS_CODES } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FakeReply, ReceivedRequest } from './reply.ts'

const SLICES_A_SECOND = 20

const piecesOf = (reply: FakeReply): Uint8Array[] => {
  const chunks = reply.chunks ?? (reply.body === undefined ? [] : [reply.body])
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
  if (reply.chunks !== undefined || reply.bytesPerSecond === undefined) return bytes
  const size = Math.max(1, Math.ceil(reply.bytesPerSecond / SLICES_A_SECOND))
  return bytes.flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.subarray(i * size, (i + 1) * size)),
  )
}

const defaultType = (reply: FakeReply): string =>
  reply.chunks === undefined ? 'application/json' : 'text/event-stream'

/** Writes the reply with its pauses, cuts and silences, and notes in `received` when each piece went out. */
export const sendReply = async (reply: FakeReply, response: ServerResponse, received: ReceivedRequest) => {
  const pieces = piecesOf(reply)
  if (reply.waitMs !== undefined) await sleep(reply.waitMs)
  if (reply.silentAfter === 0) return
  if (reply.cutAfter === 0) return void response.destroy()

  response.socket?.setNoDelay(true)
  const status = reply.status ?? 200
  // Node makes up a word for a number that has none.
  response.writeHead(status, STATUS_CODES[status] ?? '', { 'content-type': defaultType(reply), ...reply.headers })
  // Without this Node holds the headers back until the first chunk.
  if (reply.chunks !== undefined) response.flushHeaders()

  for (const [index, piece] of pieces.entries()) {
    if (index > 0 && reply.pauseMs !== undefined) await sleep(reply.pauseMs)
    if (reply.bytesPerSecond !== undefined) await sleep((piece.length / reply.bytesPerSecond) * 1000)
    if (received.hungUp || response.destroyed) return
    received.writes.push(performance.now())
    await new Promise<void>((resolve) => response.write(piece, () => resolve()))
    if (reply.silentAfter === index + 1) return
    if (reply.cutAfter === index + 1) return void response.destroy()
  }
  response.end()
}
