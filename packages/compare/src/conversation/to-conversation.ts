import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type MessagePart,
  type ModelInput,
  type ModelOutput,
  type ReplyPart,
  type ToolCall,
  type Trace,
  type TraceStep,
  toolCallsOf,
} from '@retake/trace'
import { equalJson } from '../equal-json.ts'
import type { Said, Setting, Utterance } from './utterance.ts'

/** What was said so far, so that each request only adds what is new in it. */
interface Heard {
  requests: ModelInput[]
  reply?: ModelOutput
  calls: Map<string, ToolCall>
  results: Set<string>
}

/** A run as a conversation: every request adds only what is new in it, so that nothing is said twice. */
export const toConversation = (trace: Trace): Utterance[] => {
  const heard: Heard = { requests: [], calls: new Map(), results: new Set() }
  return trace.steps.flatMap((step, index) =>
    isJsonObject(step.payload) ? toUtterances(step, step.payload, index, heard) : [],
  )
}

const toUtterances = ({ type }: TraceStep, payload: JsonObject, step: number, heard: Heard): Utterance[] => {
  switch (type) {
    case 'model_input':
      return fromRequest(payload as ModelInput, step, heard)
    case 'model_output':
      heard.reply = payload as ModelOutput
      for (const call of toolCallsOf(heard.reply)) heard.calls.set(call.toolCallId, call)
      return fromReply(heard.reply, step)
    case 'tool_call':
      return fromCall(payload, step, heard)
    case 'tool_result':
      heard.results.add(String(payload.toolCallId))
      return [fromResult(payload, step, heard)]
    case 'metadata':
      return payload.event === 'run_completed' ? [] : [{ kind: 'event', step, payload }]
  }
}

const mostBases = 8

const fromRequest = (request: ModelInput, step: number, heard: Heard): Utterance[] => {
  const messages = request.messages ?? []
  let known = 0
  let base: ModelInput | undefined
  for (const earlier of heard.requests) {
    const shared = countShared(earlier.messages, messages)
    if (shared >= known) [known, base] = [shared, earlier]
  }
  heard.requests = [...heard.requests, { ...request, messages }].slice(-mostBases)
  return [
    ...newSettings(request, base, step),
    ...messages.slice(known).flatMap((message) => fromMessage(message, step, heard)),
  ]
}

const countShared = (before: Message[], after: Message[]): number => {
  const most = Math.min(before.length, after.length)
  let shared = 0
  while (shared < most && equalJson(before[shared], after[shared])) shared++
  return shared
}

const firstSettings = ['model', 'systemPrompt', 'tools', 'params']

/** What is not as in the request that this one goes on from; something that is gone is null. */
const newSettings = (request: ModelInput, base: ModelInput | undefined, step: number): Setting[] => {
  const [before, after] = [settingsOf(base), settingsOf(request)]
  return [...new Set([...firstSettings, ...before.keys(), ...after.keys()])].flatMap((name): Setting[] => {
    const [old, value] = [before.get(name), after.get(name)]
    return equalJson(old, value) ? [] : [{ kind: 'setting', step, name, value: value ?? null }]
  })
}

const settingsOf = (request: ModelInput | undefined): Map<string, JsonValue> => {
  const { messages: _, ...settings }: Partial<ModelInput> = request ?? {}
  return new Map(Object.entries(settings).filter(([, value]) => !isNothing(value)))
}

/** No tools, no controls and null are what a request without them says. */
const isNothing = (value: JsonValue): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** A message without what a reply or a result step has told already. */
const fromMessage = (message: Message, step: number, heard: Heard): Utterance[] => {
  const { role, content, name } = message
  if (role === 'assistant' && heard.reply && repeatsReply(message, heard.reply)) return []
  const said = name === undefined ? role : `${role} ${name}`
  if (typeof content === 'string') return [{ kind: 'sent', step, role: said, part: { type: 'text', text: content } }]
  return content.flatMap((part): Utterance[] => {
    if (part.type !== 'tool_result') return [{ kind: 'sent', step, role: said, part }]
    return heard.results.has(part.toolCallId) ? [] : [fromResult(part, step, heard)]
  })
}

const repeatsReply = ({ content }: Message, reply: ModelOutput): boolean => {
  if (typeof content === 'string') return reply.type === 'final_answer' && reply.text === content
  const calls = content.flatMap((part) => (part.type === 'tool_use' ? [[part.toolName, part.toolInput]] : []))
  return equalJson(
    calls,
    toolCallsOf(reply).map(({ toolName, toolInput }) => [toolName, toolInput]),
  )
}

const fromReply = (reply: ModelOutput, step: number): Utterance[] => {
  const calls = toolCallsOf(reply)
  const parts = reply.parts ?? plainParts(reply, calls)
  const said = parts.map((part): Utterance => fromPart(part, step, calls.length === 0))
  const last = said.at(-1)
  if (reply.stop === undefined || !last) return said
  const stop = reply.stopText === undefined ? reply.stop : `${reply.stop}: ${reply.stopText}`
  return [...said.slice(0, -1), { ...last, stop } as Utterance]
}

const plainParts = (reply: ModelOutput, calls: ToolCall[]): ReplyPart[] => {
  const text = reply.type === 'tool_call' ? undefined : reply.text
  return [
    ...(text === undefined || (text === '' && calls.length > 0) ? [] : [{ type: 'text' as const, text }]),
    ...calls.map((call) => ({ type: 'tool_use' as const, ...call })),
  ]
}

const fromPart = (part: ReplyPart, step: number, isAnswer: boolean): Utterance => {
  if (part.type === 'tool_use') {
    const { type: _, ...call } = part
    return { kind: 'call', step, call, byCode: false }
  }
  const text = part.type === 'media' ? JSON.stringify(part) : part.text
  return { kind: 'said', step, type: part.type, text, isAnswer } satisfies Said
}

/** The call of a reply is told already, unless the code made it with other arguments. */
const fromCall = (payload: JsonObject, step: number, heard: Heard): Utterance[] => {
  const { origin, ...call } = payload as ToolCall & { origin?: string }
  const asked = heard.calls.get(call.toolCallId)
  heard.calls.set(call.toolCallId, call)
  const isTold = origin === undefined && (asked === undefined || equalJson(asked.toolInput, call.toolInput))
  return isTold ? [] : [{ kind: 'call', step, call, byCode: true }]
}

const fromResult = (payload: JsonObject | MessagePart, step: number, heard: Heard): Utterance => {
  const { toolCallId, toolName, result = null, error }: JsonObject = payload
  const call = heard.calls.get(String(toolCallId))
  const isError = error !== undefined
  return {
    kind: 'result',
    step,
    toolName: String(toolName),
    value: isError ? error : result,
    isError,
    ...(call && { call }),
  }
}
