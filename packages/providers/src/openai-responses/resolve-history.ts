import type { JsonValue } from '@retake/trace'
import { isNothing, toList, toObject, toText } from '../json-members.ts'
import { unsupported } from '../unsupported.ts'
import type { HeldHistory, WireRequest } from '../wire.ts'
import { isReference } from './items.ts'

/**
 * The request as it would be without the provider's memory: the history of `previous_response_id` in front, items in the
 * place of references to them. Instructions do not carry over from one response to the next, so they are left alone
 * (https://platform.openai.com/docs/guides/conversation-state).
 * @throws UnsupportedError for an id that no reply of the run had
 */
export const resolveHistory = (request: WireRequest, held: HeldHistory): WireRequest => {
  const { previous_response_id: previous, ...body } = request.body
  const continues = !isNothing(previous)
  const items = toItems(body.input)
  if (!continues && !items.some(isReference)) return request
  const before = continues ? historyOf(toText(previous), held) : []
  const input = items.map((item, index) => {
    if (!isReference(item)) return item
    const found = held.item(toText(toObject(item).id))
    if (!found) throw unsupported('history from outside the run', `input[${index}] item_reference`)
    return found
  })
  return { ...request, body: { ...body, input: [...before, ...input] } }
}

const historyOf = (id: string, held: HeldHistory): JsonValue[] => {
  const reply = held.reply(id)
  if (!reply) throw unsupported('history from outside the run', 'previous_response_id')
  return [...toItems(reply.request.body.input), ...reply.items]
}

/** A text is one message of the user. */
const toItems = (input: JsonValue | undefined): JsonValue[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : toList(input)
