import {
  canonicalJson,
  type Message,
  type MessagePart,
  type ModelInput,
  type ModelOutput,
  type TraceStep,
  toolCallsOf,
} from '@retake/trace'
import type { Turn } from './wire.ts'

/** Renames the ids of a provider to `call-N`, in the order in which the run shows them. */
export interface CallIds {
  /** The request with run-wide ids; an id of no reply of this run gets the next number. */
  inRequest(input: ModelInput): ModelInput
  inReply(turn: Turn): Turn
  /** A call that no reply asked for. */
  next(): string
  /** Steps with run-wide ids, which what comes later may name. `following`: number of the next new id. */
  adopt(steps: readonly TraceStep[], following: number): void
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
    /** By the provider's id: the calls of the latest turn that has it. */
    const latest = new Map<string, { turn: number; open: { id: string; toolName: string }[] }>()

    function use(part: Extract<MessagePart, { type: 'tool_use' }>, turn: number): MessagePart {
      const candidates = (known.get(part.toolCallId) ?? []).filter(({ id }) => !taken.has(id))
      const id = pick(candidates, part) ?? remember(part.toolCallId, part.toolName, part.toolInput)
      taken.add(id)
      const waiting = { id, toolName: part.toolName }
      const others = latest.get(part.toolCallId)
      if (others?.turn === turn) others.open.push(waiting)
      else latest.set(part.toolCallId, { turn, open: [waiting] })
      return { ...part, toolCallId: id }
    }

    function result(part: Extract<MessagePart, { type: 'tool_result' }>): MessagePart {
      const open = latest.get(part.toolCallId)?.open ?? []
      // The same id twice in one turn: results come in call order, by tool where that is told.
      const own = open.findIndex(({ toolName }) => toolName === part.toolName)
      const call = open.length > 1 ? open.splice(Math.max(own, 0), 1)[0] : open[0]
      if (call) return { ...part, toolCallId: call.id, toolName: call.toolName }
      const toolName = part.toolName || 'unknown'
      const found = known.get(part.toolCallId)?.at(-1)
      const id = found?.id ?? remember(part.toolCallId, toolName, null)
      return { ...part, toolCallId: id, toolName: found?.toolName ?? toolName }
    }

    let turn = 0
    const messages = input.messages.map((message, index): Message => {
      // Neighbours of one role are one turn.
      if (message.role !== input.messages[index - 1]?.role) turn++
      if (typeof message.content === 'string') return message
      const content = message.content.map((part): MessagePart => {
        if (part.type === 'tool_use') return use(part, turn)
        return part.type === 'tool_result' ? result(part) : part
      })
      return { ...message, content }
    })
    return { ...input, messages }
  }

  function adopt(steps: readonly TraceStep[], following: number): void {
    for (const { type, payload } of steps) {
      if (type !== 'model_output') continue
      for (const { toolCallId: id, toolName, toolInput } of toolCallsOf(payload as ModelOutput)) {
        known.set(id, [{ id, toolName, input: canonicalJson(toolInput) }])
      }
    }
    count = following
  }

  return { inRequest, inReply, next, adopt }
}

/** Of calls with one id: the one with the same name and input, else the same name, else the first. */
function pick(candidates: Known[], part: { toolName: string; toolInput: unknown }): string | undefined {
  if (candidates.length < 2) return candidates[0]?.id
  const input = canonicalJson(part.toolInput)
  const named = candidates.filter(({ toolName }) => toolName === part.toolName)
  return (named.find((candidate) => candidate.input === input) ?? named[0] ?? candidates[0])?.id
}
