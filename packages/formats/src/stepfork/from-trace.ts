import { isJsonObject, type JsonObject, type JsonValue, sha256, type TraceStep } from '@retake/trace'
import { writeReply, writeRequest } from '../chat/write-exchange.ts'
import { fromPlain } from '../json/plain-json.ts'
import type { TokenObject } from '../json/tokens.ts'
import type { Loss } from '../loss.ts'
import { headerLosses, toolLosses } from '../retake-losses.ts'
import type { Run } from '../run-format.ts'
import { createStepReader, membersOf } from '../step-reader.ts'
import type { EventType, StepforkBundle } from './bundle.ts'

/** What the format keeps of the extras of a reply: `opaque` in its body. */
const keptBeside = ['tokens', 'servedModel', 'durationMs', 'opaque']

/** A trace as a bundle, its requests as Chat Completions bodies, and what of it has no place there. */
export function fromTrace(run: Run): { bundle: StepforkBundle; lost: Loss[] } {
  const { trace, test } = run
  const reader = createStepReader(run)
  const told = membersOf(trace.steps.find(isManifest) ?? emptyStep).content
  const manifest = isJsonObject(told) ? told : {}
  const events: JsonObject[] = []
  const lost: Loss[] = headerLosses(run, keptBeside)
  const ids = new Map<number, string>()
  const starts = new Set<string>()

  const add = (type: EventType, step: TraceStep, payload: JsonObject, parent?: string): string => {
    const id = `evt_${sha256(`${trace.id}:${events.length}`).slice(0, 32)}`
    const timestamp = toTime(step.timestamp)
    const parent_id = parent ?? [...starts][0] ?? null
    events.push({ id, run_id: trace.id, parent_id, step: events.length, type, timestamp, ...payload })
    if (type === 'run_start') starts.add(id)
    return id
  }
  const lose = (step: TraceStep, what: string) => lost.push({ where: `step ${step.index}`, what })

  function request(step: TraceStep): string {
    const { body, lost: ofBody } = writeRequest(step)
    lost.push(...ofBody)
    if (typeof body.model !== 'string') lose(step, 'the request names no model; it is written as unknown')
    const model = typeof body.model === 'string' ? body.model : 'unknown'
    const payload = { provider: 'openai', model, input: { method: 'chat.completions.create', request: body } }
    const id = add('llm_request', step, payload)
    ids.set(step.index, id)
    return id
  }

  /** The request that the next answer belongs to: asked again where an attempt failed. */
  function asked(step: TraceStep): string | undefined {
    const found = reader.requestOf(step)
    if (!found) return undefined
    const id = ids.get(found.step.index) ?? request(found.step)
    ids.delete(found.step.index)
    return id
  }

  function addReply(step: TraceStep): void {
    const parent = asked(step)
    const extras = reader.extrasOf(step)
    const model = reader.requestOf(step)?.input.model
    const { body, lost: ofBody } = writeReply(step, model, extras)
    lost.push(...ofBody)
    const { tokens, servedModel, durationMs } = extras ?? {}
    add(
      'llm_response',
      step,
      {
        model: servedModel ?? model ?? null,
        output: body,
        prompt_tokens: tokens?.input ?? null,
        completion_tokens: tokens?.output ?? null,
        ...(durationMs !== undefined && { duration_ms: Math.round(durationMs) }),
      },
      parent,
    )
  }

  function addTool(step: TraceStep): void {
    const { toolName, toolInput = null, origin } = membersOf(step)
    const result = reader.resultOf(step)
    lost.push(...toolLosses(step, result))
    const ofModel = origin === 'endpoint' && 'status' in manifest
    if (origin !== undefined && origin !== 'agent' && !ofModel)
      lose(step, `who asked for the call (${origin}) is left out`)
    const name = String(toolName)
    const [provider, model] = name.includes('/') ? splitOnce(name) : [null, name]
    const parent = ofModel
      ? add('llm_request', step, { provider, model, input: toolInput })
      : add('tool_call', step, { name, input: toolInput })
    if (!result) return
    const outcome = membersOf(result)
    const failed = typeof outcome.error === 'string'
    const failure = { error_type: outcome.errorName ?? 'Error', message: String(outcome.error || 'failed') }
    if (ofModel && failed) add('error', result, { ...failure, details: null }, parent)
    else if (ofModel) add('llm_response', result, { output: outcome.result ?? null }, parent)
    else {
      const output = failed ? failure : (outcome.result ?? null)
      add('tool_result', result, { name, output, ...(failed && { status: 'error' }) }, parent)
    }
  }

  function addNote(step: TraceStep): void {
    const { event, content, ...payload } = membersOf(step)
    const own = isJsonObject(content) ? content : {}
    if (event === 'model_error') {
      const { kind, message, ...others } = payload
      const details = Object.keys(others).length > 0 ? others : null
      add('error', step, { error_type: String(kind), message: String(message || kind), details }, asked(step))
    } else if (event === 'run_completed') {
      add('run_end', step, { run_status: 'completed', output: payload.result ?? null, ...own })
    } else if (event === 'run_failed') {
      if (!events.some(({ type }) => type === 'error')) {
        add('error', step, { error_type: String(payload.reason), message: String(payload.message ?? payload.reason) })
      }
      add('run_end', step, { run_status: 'failed', output: null, ...own })
    } else if (isKnownEvent(event)) add(event.slice('stepfork.'.length) as EventType, step, own)
    else if (!isManifest(step)) lose(step, `the metadata ${String(event)} is left out`)
  }

  const first = trace.steps[0] ?? emptyStep
  if (!('status' in manifest)) add('run_start', { ...first, timestamp: trace.createdAt }, { input: null })
  for (const step of trace.steps) {
    if (step.type === 'model_input') request(step)
    else if (step.type === 'model_output') addReply(step)
    else if (step.type === 'tool_call') addTool(step)
    else if (step.type === 'metadata') addNote(step)
  }
  const header = toManifest(run, manifest, test?.name ?? 'agent', events)
  return {
    bundle: { manifest: header, events: events.map((event) => fromPlain(event) as TokenObject), redactions: [] },
    lost,
  }
}

const emptyStep: TraceStep = {
  id: '',
  index: 0,
  type: 'metadata',
  timestamp: 0,
  payload: {},
  prevHash: null,
  hash: '',
}

const isManifest = (step: TraceStep): boolean => membersOf(step).event === 'stepfork.manifest'

const isKnownEvent = (event: JsonValue | undefined): event is string =>
  typeof event === 'string' &&
  /^stepfork\.(?:run_start|state_change|error|run_end|llm_response|tool_result)$/.test(event)

const toTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z')

function splitOnce(name: string): [string, string] {
  const at = name.indexOf('/')
  return [name.slice(0, at), name.slice(at + 1)]
}

function toManifest({ trace }: Run, told: JsonObject, agent: string, events: readonly JsonObject[]): TokenObject {
  const end = events.findLast(({ type }) => type === 'run_end')
  const status = String(told.status ?? end?.run_status ?? 'running')
  const error = events.find(({ type }) => type === 'error')
  const failure = told.failure ?? {
    type: error?.error_type ?? 'Error',
    message: error?.message ?? 'failed',
    step: error?.step ?? 0,
  }
  return fromPlain({
    run_id: trace.id,
    agent_name: told.agent_name ?? agent,
    created_at: toTime(trace.createdAt),
    status,
    failure: status === 'failed' ? failure : null,
    environment: told.environment ?? {},
    totals: told.totals ?? {},
  }) as TokenObject
}
