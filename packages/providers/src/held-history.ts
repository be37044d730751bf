import type { JsonObject } from '@retake/trace'
import { refuseUnstorable } from './refuse-unstorable.ts'
import type { HeldReply, Wire, WireRequest } from './wire.ts'

/** What the provider of a run remembers, or would: some requests hold only what is new and name the rest. */
export function createHeldHistory() {
  const replies = new Map<string, { request: WireRequest; items: readonly JsonObject[] }>()
  const items = new Map<string, JsonObject>()
  const held = {
    reply: (id: string) => replies.get(id),
    item: (id: string) => items.get(id),
  }

  return {
    /** The request with its whole history. @throws UnsupportedError for history from outside the run, and for what no cassette holds */
    resolve(wire: Wire, asked: WireRequest): WireRequest {
      refuseUnstorable(asked.body, 'the request')
      return wire.resolveHistory?.(asked, held) ?? asked
    },
    /** `request` is the one that `resolve` gave. */
    remember(request: WireRequest, reply: HeldReply | undefined): void {
      if (!reply) return
      replies.set(reply.id, { request, items: reply.items })
      for (const item of reply.items) if (typeof item.id === 'string') items.set(item.id, item)
    },
  }
}

export type HeldRun = ReturnType<typeof createHeldHistory>
