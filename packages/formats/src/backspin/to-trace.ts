import type { Reply } from '@retake/providers'
import { isJsonObject, type JsonObject, type JsonValue, type ToolCallPayload } from '@retake/trace'
import { type Protocol, readFailure, readReplyBody, readRequestBody } from '../chat/read-exchange.ts'
import { changedNumbers, toPlain } from '../json/plain-json.ts'
import { NumberToken, type TokenJson } from '../json/tokens.ts'
import type { Loss } from '../loss.ts'
import type { ReadRun } from '../run-format.ts'
import { createTraceBuilder, type TraceBuilder } from '../trace-builder.ts'
import type { BackspinLine, BackspinRun } from './run-file.ts'

/** One event, its members as plain JSON. */
interface Event {
  /** For messages: `event 3`. */
  where: string
  kind: string
  members: JsonObject
  /** Milliseconds since the epoch. `ts` is taken when the event is written, so when the call is over. */
  startedAt: number
  endedAt: number
}

/**
 * A run as a trace. Calls of a model that have what an SDK needs become requests and replies; logs, spans, errors and
 * custom events become metadata steps. What has no place is told, and what a replay would need.
 */
export function toTrace(run: BackspinRun): ReadRun {
  const header = toPlain(run.header.members) as JsonObject
  const { run_id, created_at, kind: _, schema: __, ...rest } = header
  const { branch_of, forked_from_step } = isJsonObject(header.metadata) ? header.metadata : {}
  const createdAt = toMilliseconds(created_at)
  const builder = createTraceBuilder({
    id: String(run_id),
    createdAt,
    ...(typeof branch_of === 'string' && { parentId: branch_of }),
    ...(typeof forked_from_step === 'string' && { forkedFromStepId: forked_from_step }),
  })
  builder.note({ event: 'backspin.header', content: rest }, createdAt)
  const [lost, missing]: [Loss[], Loss[]] = [lossesOf(run), []]
  for (const event of run.events.map(toEvent)) {
    if (event.kind === 'llm') missing.push(...addCall(builder, event, lost))
    else if (event.kind === 'tool') addTool(builder, event, lost)
    else builder.note(toNote(event), event.endedAt)
  }
  return { ...builder.toRun(), lost, missing }
}

const toMilliseconds = (seconds: JsonValue | undefined): number =>
  typeof seconds === 'number' ? Math.round(seconds * 1000) : 0

function toEvent({ members }: BackspinLine, at: number): Event {
  const plain = toPlain(members) as JsonObject
  const { kind, ts, duration_ms: duration } = plain
  const endedAt = toMilliseconds(ts)
  const startedAt = typeof duration === 'number' ? Math.round(endedAt - duration) : endedAt
  return { where: `event ${at + 1}`, kind: String(kind), members: plain, startedAt, endedAt }
}

function lossesOf({ header, events, truncated }: BackspinRun): Loss[] {
  const lines = [header, ...events].map(({ members }) => members)
  const isFine = (value: TokenJson | undefined) =>
    value instanceof NumberToken && Math.abs(value.value * 1000 - Math.round(value.value * 1000)) > 1e-3
  const finer = lines.some((members) => isFine(members.get('ts')) || isFine(members.get('created_at')))
  return [
    ...(truncated ? [{ where: `line ${truncated.line}`, what: 'the last line was not finished; it is left out' }] : []),
    ...(finer ? [{ where: 'ts', what: 'times are kept to the millisecond' }] : []),
    ...(events.some(({ members }) => members.get('kind') === 'llm') ? [bodies] : []),
    ...lines.flatMap((members, at) =>
      changedNumbers(new Map([...members].filter(([name]) => !measured.has(name)))).map((path) => ({
        where: `${at === 0 ? 'header' : `event ${at}`} ${path}`,
        what: 'the number is written in a way that JavaScript does not tell apart',
      })),
    ),
  ]
}

const measured = new Set(['ts', 'created_at', 'duration_ms'])

const bodies: Loss = {
  where: 'llm request, response',
  what: 'ids, times and null members of bodies are made anew; request fields that change no answer are left out',
}

/** Members of an event that the conversion reads; others are told as lost. */
const read: Record<string, readonly string[]> = {
  llm: ['model', 'request', 'response', 'usage', 'error', 'fingerprint', 'provider', 'duration_ms'],
  tool: ['name', 'args', 'result', 'error', 'error_type', 'origin', 'duration_ms'],
}

function membersLost({ where, kind, members }: Event): Loss[] {
  const known = ['kind', 'seq', 'ts', ...(read[kind] ?? [])]
  const strange = Object.keys(members).filter((name) => !known.includes(name) && members[name] !== null)
  return strange.map((name) => ({ where: `${where} ${name}`, what: 'has no place in a step' }))
}

function addCall(builder: TraceBuilder, event: Event, lost: Loss[]): Loss[] {
  const { where, members, startedAt, endedAt } = event
  const { provider, request, response, error, model } = members
  lost.push(...membersLost(event))
  const lacks = (what: string): Loss[] => {
    const { kind: _, seq: __, ts: ___, ...content } = members
    builder.note({ event: 'backspin.llm', content }, endedAt)
    return [{ where, what }]
  }
  const protocol = protocolOf(provider)
  if (!protocol) return lacks('the protocol: the provider is none that retake speaks')
  const body =
    isJsonObject(request) && request.model === undefined && typeof model === 'string' ? { ...request, model } : request
  const asked = readRequestBody(protocol, body)
  if ('missing' in asked) return lacks(asked.missing)
  const unnamed = asked.lacks === undefined ? [] : [{ where, what: asked.lacks }]
  const answer = isJsonObject(response) ? readReplyBody(protocol, cleaned(response)) : undefined
  if (answer && 'missing' in answer) return lacks(answer.missing)
  if (isJsonObject(response) && response.reconstructed_from_stream !== undefined) {
    lost.push({ where: `${where} response.reconstructed_from_stream`, what: 'that it was a stream is not kept' })
  }
  if (protocol !== 'openai.chat') lost.push({ where: `${where} provider`, what: 'the protocol is not kept' })
  builder.input(asked.read, startedAt)
  const reply = answer && 'reply' in answer.read ? answer.read.reply : undefined
  if (typeof error === 'string') return [...unnamed, ...addFailure(builder, event, protocol, reply)]
  if (!reply) return [...unnamed, { where, what: 'the response' }]
  builder.reply(withMeasures(reply, members), endedAt)
  return unnamed
}

const protocolOf = (provider: JsonValue | undefined): Protocol | undefined => {
  if (provider === undefined || provider === null || provider === 'openai') return 'openai.chat'
  return provider === 'anthropic' ? 'anthropic.messages' : undefined
}

/** A reply that backspin put together from a stream has marks of its own, and lacks what only names its type. */
function cleaned({ reconstructed_from_stream: _, object, ...body }: JsonObject): JsonObject {
  if (object !== 'anthropic.message') return { ...body, ...(object !== undefined && { object }) }
  return { id: '', type: 'message', stop_sequence: null, ...body }
}

/** The text of a failure names its status: `Error code: 429 - …` of OpenAI's SDK, `upstream HTTP 500: …` of the proxy. */
const statusInText = /\b(?:Error code:|HTTP)\s*([45]\d\d)\b(?:\s*[-:]\s*)?/

function addFailure(builder: TraceBuilder, event: Event, protocol: Protocol, reply: Reply | undefined): Loss[] {
  const { where, members, endedAt } = event
  const message = String(members.error)
  if (reply) {
    const { parts } = reply.turn
    builder.failure({ status: 200, kind: 'server', message, parts, afterParts: parts.length }, endedAt)
    return [{ where, what: 'where its stream broke' }]
  }
  const status = statusInText.exec(message)
  if (!status) {
    builder.failure({ status: 0, kind: 'network', message }, endedAt)
    return [{ where: `${where} error`, what: 'the HTTP status of the failure' }]
  }
  const failure = readFailure(protocol, Number(status[1]), message.replace(statusInText, ''))
  // An event is one call of the agent: its SDK had given up.
  builder.failure({ ...failure, noRetry: true }, endedAt)
  return []
}

function withMeasures(reply: Reply, { usage, duration_ms: durationMs }: JsonObject): Reply {
  const { prompt_tokens: input, completion_tokens: output } = isJsonObject(usage) ? usage : {}
  const counts = Object.entries({ input, output }).filter(([, count]) => typeof count === 'number')
  const tokens = reply.extras.tokens ?? (counts.length > 0 ? Object.fromEntries(counts) : undefined)
  return {
    ...reply,
    extras: { ...reply.extras, ...(tokens && { tokens }), ...(typeof durationMs === 'number' && { durationMs }) },
  }
}

const origins: readonly JsonValue[] = ['agent', 'endpoint', 'http', 'mcp']

function addTool(builder: TraceBuilder, event: Event, lost: Loss[]): void {
  const { where, members, startedAt, endedAt } = event
  const { name, args, result = null, error, error_type: errorName, origin = null } = members
  lost.push(...membersLost(event))
  const other = builder.tool({
    toolName: String(name),
    toolInput: toInput(args),
    startedAt,
    outcome: {
      endedAt,
      result: typeof error === 'string' ? { error, ...toErrorName(errorName) } : { result },
    },
    ...(origins.includes(origin) && origin !== 'agent' && { origin: origin as NonNullable<ToolCallPayload['origin']> }),
  })
  if (other !== undefined)
    lost.push({ where: `${where} args`, what: 'the arguments are those that the model asked with' })
}

/** `Error` is what its absence says. */
const toErrorName = (name: JsonValue | undefined) =>
  typeof name === 'string' && name !== 'Error' ? { errorName: name } : {}

/** Python's calls have positional and named arguments; a JavaScript tool has one input. */
function toInput(args: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(args)) return args ?? undefined
  const { args: positional, kwargs: named, ...others } = args
  if (!Array.isArray(positional) || !isJsonObject(named) || Object.keys(others).length > 0) return args
  if (positional.length === 0) return named
  return positional.length === 1 && Object.keys(named).length === 0 ? (positional[0] ?? null) : args
}

/** What retake wrote of a trace comes back as it was. */
function toNote({ kind, members }: Event): JsonObject {
  const { kind: _, seq: __, ts: ___, ...content } = members
  if (kind === 'retake.metadata' && isJsonObject(content.payload)) return content.payload
  return { event: `backspin.${kind}`, content }
}
