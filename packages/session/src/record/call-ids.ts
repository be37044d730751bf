import type { Turn } from '@retake/providers'
import { canonicalJson, type Message, type MessagePart, type ModelInput } from '@retake/trace'

/** Renames the ids of a provider to `call-N`, in the order in which the run shows them. */
export interface CallIds {
  /** The request with run-wide ids; an id of no reply of this run gets the next number. */
  inRequest(input: ModelInput): ModelInput
  inReply(turn: Turn): Turn
  /** A call that no reply asked for. */
  next(): string
}

interface Known {
  id: string
  toolName: string
  input: string
}

export function createCallIds(): CallIds {
  // Some vendors start again with the same ids in every reply, some send none: one id can stand for several calls.
  const known = new Map<string, Known[]>()
  let count = 0
  const next = () => `call-${count++}`

  function remember(providerId: string, toolName: string, toolInput: unknown): string {
    const entry = { id: next(), toolName, input: canonicalJson(toolInput) }
    const others = known.get(providerId)
    if (others) others.push(entry)
    else known.set(providerId, [entry])
    return entry.id
  }

  function inReply(turn: Turn): Turn {
    const parts = turn.parts.map((part) =>
      part.type === 'tool_use'
        ? { ...part, toolCallId: remember(part.toolCallId, part.toolName, part.toolInput) }
        : part,
    )
    return { ...turn, parts }
  }

  function inRequest(input: ModelInput): ModelInput {
    const taken = new Set<string>()
    const latest = new Map<string, { id: string; toolName: string }[]>()

    function use(part: Extract<MessagePart, { type: 'tool_use' }>): MessagePart {
      const candidates = (known.get(part.toolCallId) ?? []).filter(({ id }) => !taken.has(id))
      const id = pick(candidates, part) ?? remember(part.toolCallId, part.toolName, part.toolInput)
      taken.add(id)
      const waiting = { id, toolName: part.toolName }
      const others = latest.get(part.toolCallId)
      if (others) others.push(waiting)
      else latest.set(part.toolCallId, [waiting])
      return { ...part, toolCallId: id }
    }

    function result(part: Extract<MessagePart, { type: 'tool_result' }>): MessagePart {
      const open = latest.get(part.toolCallId)
      // The same id twice in one turn: results come in call order.
      const call = open && open.length > 1 ? open.shift() : open?.[0]
      if (call) return { ...part, toolCallId: call.id, toolName: call.toolName }
      const toolName = part.toolName || 'unknown'
      const found = known.get(part.toolCallId)?.at(-1)
      const id = found?.id ?? remember(part.toolCallId, toolName, null)
      return { ...part, toolCallId: id, toolName: found?.toolName ?? toolName }
    }

    const rename = (part: MessagePart): MessagePart =>
      part.type === 'tool_use' ? use(part) : part.type === 'tool_result' ? result(part) : part
    const messages = input.messages.map(
      (message): Message =>
        typeof message.content === 'string' ? message : { ...message, content: message.content.map(rename) },
    )
    return { ...input, messages }
  }

  return { inRequest, inReply, next }
}

/** Of calls with one id: the one with the same name and input, else the same name, else the first. */
function pick(candidates: Known[], part: { toolName: string; toolInput: unknown }): string | undefined {
  if (candidates.length < 2) return candidates[0]?.id
  const input = canonicalJson(part.toolInput)
  const named = candidates.filter(({ toolName }) => toolName === part.toolName)
  return (named.find((candidate) => candidate.input === input) ?? named[0] ?? candidates[0])?.id
}
