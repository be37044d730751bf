import type { ReplyMembers } from '../reply-members.ts'
import type { RefusalName } from '../unsupported.ts'

const hosted: RefusalName = 'hosted/server tools and their blocks'

/** A message (https://platform.claude.com/docs/en/api/messages/create), betas included. */
export const messageMembers: ReplyMembers = {
  read: ['id', 'type', 'role', 'content', 'model', 'stop_reason', 'stop_sequence', 'stop_details', 'usage'],
  types: { model: ['string'], stop_sequence: ['string'], stop_details: ['object'] },
  ignored: ['diagnostics', 'request_id'],
  refused: { container: hosted },
}

/** The event of a stream that tells how its message ended. */
export const endingMembers: ReplyMembers = { read: ['type', 'delta', 'usage'], ignored: [], refused: {} }

/** A block of any type. */
export const blockMembers: ReplyMembers = {
  read: ['type', 'text', 'thinking', 'signature', 'data', 'id', 'name', 'input', 'toolset_name', 'caller'],
  types: { text: ['string'], thinking: ['string'], signature: ['string'], name: ['string'], toolset_name: ['string'] },
  ignored: ['cache_control'],
  refused: { citations: 'citations, annotations, search results, grounding' },
}
