import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { type Protocol, readReplyBody, readRequestBody } from '../chat/read-exchange.ts'
import { changedNumbers, plainOf, toPlain } from '../json/plain-json.ts'
import { NumberToken, type TokenObject } from '../json/tokens.ts'
import type { Loss } from '../loss.ts'
import type { ReadRun } from '../run-format.ts'
import { createTraceBuilder, type ToolRun, type TraceBuilder } from '../trace-builder.ts'
import { headOf, type StepforkBundle, textOf } from './bundle.ts'
import { type RecordedDependency, recordedDependencies } from './recorded-calls.ts'

/**
 * A bundle as a trace. Requests in the shape of OpenAI's or Anthropic's API become requests; others stay what they are,
 * calls of an endpoint. What has no place in a trace is told, and what a replay through an SDK would need.
 */
export function toTrace(bundle: StepforkBundle): ReadRun {
  const { manifest, events } = bundle
  const createdAt = Date.parse(textOf(manifest.get('created_at')) ?? '')
  const builder = createTraceBuilder({ id: textOf(manifest.get('run_id')) ?? '', createdAt })
  const [lost, missing]: [Loss[], Loss[]] = [lossesOf(bundle), []]
  const calls = new Map(recordedDependencies(bundle).map((call) => [call.event, call]))
  const told = new Set([...calls.values()].flatMap(({ event, result }) => [event, result]))
  builder.note({ event: 'stepfork.manifest', content: manifestContent(manifest) }, createdAt)
  for (const event of events) {
    const call = calls.get(event)
    if (call) missing.push(...addCall(builder, call))
    else if (!told.has(event)) builder.note(toNote(event, event === events.at(-1)), timeOf(event))
  }
  return { ...builder.toRun(), lost, missing }
}

const timeOf = (event: TokenObject): number => Date.parse(textOf(event.get('timestamp')) ?? '')

function manifestContent(manifest: TokenObject): JsonObject {
  const { agent_name = '', status = '', failure = null, environment = {}, totals } = toPlain(manifest) as JsonObject
  const { cost_usd = null, duration_ms = null } = (totals ?? {}) as JsonObject
  return { agent_name, status, failure, environment, totals: { cost_usd, duration_ms } }
}

/** What stands in every bundle and has no place, once, and what single events lose. */
function lossesOf({ events, redactions }: StepforkBundle): Loss[] {
  const finer = events.some((event) => /\.\d{3}\d*[1-9]/.test(textOf(event.get('timestamp')) ?? ''))
  const policies = events.filter((event) => (event.get('replay_policy') ?? 'frozen') !== 'frozen')
  return [
    { where: 'events.jsonl', what: 'ids and parents of events are made anew' },
    ...(finer ? [{ where: 'events.jsonl timestamp', what: 'times are kept to the millisecond' }] : []),
    ...(events.some((event) => headOf(event).type === 'llm_request') ? [bodies] : []),
    ...(redactions.length > 0 ? [{ where: 'redactions.json', what: 'where something was redacted is not kept' }] : []),
    ...policies.map((event) => ({ where: `${headOf(event).id} replay_policy`, what: 'the policy is not kept' })),
    ...events.flatMap(membersLost),
    ...events.flatMap((event) =>
      changedNumbers(event).map((path) => ({
        where: `${headOf(event).id} ${path}`,
        what: 'the number is written in a way that JavaScript does not tell apart',
      })),
    ),
  ]
}

const bodies: Loss = {
  where: 'events.jsonl llm_request, llm_response',
  what: 'ids, times and null members of bodies are made anew; request fields that change no answer are left out',
}

const measured: Record<string, string[]> = {
  llm_response: ['total_tokens', 'cost_usd'],
  tool_result: ['duration_ms'],
}

/** Measurements, and what a failed call gave beside its class and its message. */
function membersLost(event: TokenObject): Loss[] {
  const { id, type } = headOf(event)
  const lost = (measured[type] ?? [])
    .filter((name) => (event.get(name) ?? null) !== null)
    .map((name) => ({ where: `${id} ${name}`, what: 'is not kept' }))
  const failed = type === 'tool_result' && event.get('status') === 'error'
  return failed ? [...lost, { where: `${id} output`, what: 'of a failure only class and message are kept' }] : lost
}

function addCall(builder: TraceBuilder, call: RecordedDependency): Loss[] {
  const refused = policyRefusal(call)
  if (call.kind === 'tool') {
    builder.tool(toToolRun(call))
    return refused
  }
  const exchange = readExchange(call)
  if ('missing' in exchange) {
    builder.tool({ ...toToolRun(call), toolName: call.label, origin: 'endpoint' })
    return [...refused, exchange.missing]
  }
  builder.input(exchange.input, timeOf(call.event))
  if (exchange.reply && call.result) builder.reply(withTokens(exchange.reply, call.result), timeOf(call.result))
  return refused
}

function policyRefusal({ event, policy }: RecordedDependency): Loss[] {
  if (policy !== 'forbidden' && policy !== 'manual') return []
  return [{ where: `${headOf(event).id} replay_policy`, what: `leave for a replay: it is ${policy}` }]
}

function toToolRun({ label, event, input, status, output, result, error }: RecordedDependency): ToolRun {
  // `Error` is what its absence says.
  const failure = error && { error: error.message, ...(error.type !== 'Error' && { errorName: error.type }) }
  return {
    toolName: label,
    toolInput: toPlain(input),
    startedAt: timeOf(event),
    ...(result && {
      outcome: {
        endedAt: timeOf(result),
        result:
          status === 'error' ? (failure ?? { error: JSON.stringify(toPlain(output)) }) : { result: toPlain(output) },
      },
    }),
  }
}

const protocols: readonly Protocol[] = ['openai.chat', 'openai.responses', 'anthropic.messages']

/** The exchange in a call of a model, in the protocol that its provider or its method names. */
function readExchange({ event, input, result, output, status }: RecordedDependency) {
  const { id } = headOf(event)
  const lacks = (place: string, what: string) => ({ missing: { where: `${id} ${place}`, what } })
  const { protocol, body } = toBody(event, toPlain(input))
  if (!protocol) return lacks('provider', 'the protocol: the provider is none that retake speaks')
  const request = readRequestBody(protocol, body)
  if ('missing' in request) return lacks('input', request.missing)
  if (!result) return { input: request.read }
  if (status === 'error') return lacks('error', 'the HTTP status of the failure')
  const answer = readReplyBody(protocol, toPlain(output))
  if ('missing' in answer) return lacks('output', answer.missing)
  if ('error' in answer.read) return lacks('output', 'a reply of the model')
  return { input: request.read, reply: answer.read.reply }
}

/** Stepfork's own integration wraps the request: `{ method: "chat.completions.create", request }`. */
function toBody(event: TokenObject, input: JsonValue): { protocol: Protocol | undefined; body: JsonValue } {
  const method = isJsonObject(input) ? input.method : undefined
  const wrapped = isJsonObject(input) && isJsonObject(input.request) ? input.request : input
  const model = textOf(event.get('model')) ?? ''
  const body = isJsonObject(wrapped) && wrapped.model === undefined ? { ...wrapped, model } : wrapped
  if (method === 'chat.completions.create') return { protocol: 'openai.chat', body }
  const provider = textOf(event.get('provider'))?.toLowerCase()
  const shape = isJsonObject(body) && body.input !== undefined ? 'openai.responses' : 'openai.chat'
  if (provider === 'openai') return { protocol: shape, body }
  return { protocol: protocols.find((name) => name.split('.')[0] === provider), body }
}

function withTokens<T extends { extras: object }>(reply: T, result: TokenObject): T {
  if ('tokens' in reply.extras) return reply
  const counts = { input: result.get('prompt_tokens'), output: result.get('completion_tokens') }
  const known = Object.entries(counts).filter(([, count]) => count instanceof NumberToken)
  if (known.length === 0) return reply
  const tokens = Object.fromEntries(known.map(([name, count]) => [name, plainOf(count)]))
  return { ...reply, extras: { ...reply.extras, tokens } }
}

/** The end of a run is its terminal step; every other event stays what it is. */
function toNote(event: TokenObject, isLast: boolean): JsonObject {
  const { type } = headOf(event)
  const content = toPlain(new Map([...event].filter(([name]) => !structural.has(name)))) as JsonObject
  if (type !== 'run_end' || !isLast) return { event: `stepfork.${type}`, content }
  const { output = null, run_status: status } = content
  if (status === 'completed') {
    const result = typeof output === 'string' ? output : JSON.stringify(output)
    return { event: 'run_completed', status: 'success', result, content }
  }
  if (status === 'failed') return { event: 'run_failed', status: 'error', reason: 'agent_error', content }
  return { event: 'stepfork.run_end', content }
}

const structural = new Set([
  'id',
  'run_id',
  'parent_id',
  'step',
  'type',
  'timestamp',
  'replay_policy',
  'input_hash',
  'output_hash',
  'redactions',
])
