import { isJsonObject, type JsonObject, type JsonValue, sha256, type TraceStep } from '@retake/trace'
import { writeReply, writeRequest } from '../chat/write-exchange.ts'
import { fromPlain } from '../json/plain-json.ts'
import { NumberToken, type TokenObject } from '../json/tokens.ts'
import type { Loss } from '../loss.ts'
import { headerLosses, toolLosses } from '../retake-losses.ts'
import type { Run } from '../run-format.ts'
import { createStepReader, membersOf } from '../step-reader.ts'
import { fingerprint, hasFingerprint, wasRedacted } from './fingerprint.ts'
import { type BackspinLine, type BackspinRun, backspinSchema } from './run-file.ts'

/** What the format keeps of the extras of a reply: `opaque` in its body. */
const keptBeside = ['tokens', 'servedModel', 'durationMs', 'opaque']

/** A trace as a run, its requests as Chat Completions bodies, and what of it has no place there. */
export function fromTrace(run: Run): { run: BackspinRun; lost: Loss[] } {
  const { trace } = run
  const reader = createStepReader(run)
  const events: JsonObject[] = []
  // The fork has a place: `branch_of` of the header.
  const lost: Loss[] = headerLosses(run, keptBeside).filter(({ where }) => where !== 'parentId')
  const requests = new Map<number, JsonObject>()

  const add = (members: JsonObject, step: TraceStep, from: TraceStep = step) =>
    events.push({
      ...dropNull({ kind: members.kind ?? '', ts: step.timestamp / 1000, ...members }),
      ...(from !== step && { duration_ms: reader.extrasOf(step)?.durationMs ?? step.timestamp - from.timestamp }),
      seq: events.length + 1,
    })

  function request(step: TraceStep): JsonObject {
    const known = requests.get(step.index)
    if (known) return known
    const written = writeRequest(step)
    lost.push(...written.lost)
    requests.set(step.index, written.body)
    return written.body
  }

  function addCall(step: TraceStep, outcome: JsonObject): void {
    const asked = reader.requestOf(step)
    if (!asked) return
    const body = request(asked.step)
    const { model = null, messages = null } = body
    const print = fingerprint(fromPlain(model), fromPlain(messages))
    add({ kind: 'llm', model, request: body, ...outcome, fingerprint: print }, step, asked.step)
  }

  function addReply(step: TraceStep): void {
    const model = reader.requestOf(step)?.input.model
    const { body, lost: ofBody } = writeReply(step, model, reader.extrasOf(step))
    lost.push(...ofBody)
    addCall(step, { response: body, usage: body.usage ?? null })
  }

  function addTool(step: TraceStep): void {
    const { toolName, toolInput = null, origin } = membersOf(step)
    const result = reader.resultOf(step)
    lost.push(...toolLosses(step, result))
    const args: JsonObject = isJsonObject(toolInput)
      ? { args: [], kwargs: toolInput }
      : { args: [toolInput], kwargs: {} }
    if (!result) lost.push({ where: `step ${step.index}`, what: 'a call without result reads as one that gave null' })
    const { result: value = null, error = null, errorName = null } = result ? membersOf(result) : {}
    const outcome = { result: value, error, error_type: errorName }
    add({ kind: 'tool', name: toolName ?? null, args, ...outcome, origin: origin ?? null }, result ?? step, step)
  }

  function addNote(step: TraceStep): void {
    const payload = membersOf(step)
    const { event, content } = payload
    if (event === 'backspin.header') return
    if (event === 'model_error') {
      const { status, message, event: _, kind: __, noRetry: ___, ...others } = payload
      const named = Object.keys(others)
      if (named.length > 0)
        lost.push({ where: `step ${step.index} payload`, what: `${named.join(', ')} of a failure is left out` })
      addCall(step, { error: Number(status) >= 400 ? `Error code: ${status} - ${message}` : String(message) })
    } else if (typeof event === 'string' && event.startsWith('backspin.')) {
      const own = { kind: event.slice('backspin.'.length), ...(isJsonObject(content) ? content : {}) }
      add(own.kind === 'llm' ? withFingerprint(own, step) : own, step)
    } else add({ kind: 'retake.metadata', payload }, step)
  }

  /** Numbers that a trace cannot hold apart are other numbers for Python. */
  function withFingerprint(members: JsonObject, { index }: TraceStep): JsonObject {
    const { model = null, request, fingerprint: stored } = members
    if (typeof stored !== 'string' || !isJsonObject(request)) return members
    const tokens = fromPlain(members) as TokenObject
    if (hasFingerprint(tokens, stored) || wasRedacted(tokens)) return members
    lost.push({
      where: `step ${index} payload.content.fingerprint`,
      what: 'is made anew: it was that of another request',
    })
    return { ...members, fingerprint: fingerprint(fromPlain(model), fromPlain(request.messages ?? null)) }
  }

  for (const step of trace.steps) {
    if (step.type === 'model_output') addReply(step)
    else if (step.type === 'tool_call') addTool(step)
    else if (step.type === 'metadata') addNote(step)
    else if (step.type === 'model_input' && !isAnswered(trace.steps, step)) addCall(step, {})
  }
  const header = toHeader(run, lost)
  return { run: { header: toLine(header), events: events.map(toLine) }, lost }
}

/** Times and durations are floats, as Python writes them. */
function toLine(members: JsonObject): BackspinLine {
  const line = fromPlain(members) as TokenObject
  for (const name of ['ts', 'created_at', 'duration_ms']) {
    const value = line.get(name)
    if (value instanceof NumberToken && value.isInteger) line.set(name, new NumberToken(`${value.text}.0`))
  }
  return { members: line }
}

/** Whether a reply or a failure follows before the next request. */
function isAnswered(steps: readonly TraceStep[], { index }: TraceStep): boolean {
  const next = steps[index + 1]
  return next?.type === 'model_output' || (next !== undefined && membersOf(next).event === 'model_error')
}

function toHeader({ trace, test }: Run, lost: Loss[]): JsonObject {
  const told = membersOf(trace.steps.find((step) => membersOf(step).event === 'backspin.header') ?? noStep).content
  const { agent, backspin_version: version, metadata, ...others } = isJsonObject(told) ? told : {}
  const isRunId = /^[0-9a-f]{12}$/.test(trace.id)
  if (!isRunId) lost.push({ where: 'id', what: 'the id of the run is made anew: it has 12 hex digits' })
  return {
    kind: 'header',
    schema: backspinSchema,
    run_id: isRunId ? trace.id : sha256(trace.id).slice(0, 12),
    agent: agent ?? test?.name ?? 'agent',
    created_at: trace.createdAt / 1000,
    backspin_version: version ?? 'retake',
    metadata: { ...(isJsonObject(metadata) ? metadata : {}), ...branchOf(trace) },
    ...others,
  }
}

const noStep: TraceStep = { id: '', index: 0, type: 'metadata', timestamp: 0, payload: {}, prevHash: null, hash: '' }

/** What backspin writes of a branch; the step that was changed is a tool result, by its index. */
function branchOf({ parentId, forkedFromStepId, steps }: Run['trace']): JsonObject {
  if (parentId === undefined) return {}
  const at = Number(forkedFromStepId?.split(':').at(-1))
  const changed = steps[at]
  const mutations: JsonObject = changed ? { [at]: outcomeOf(changed) } : {}
  return {
    branch_of: parentId,
    mode: 'fork',
    mutations,
    ...(forkedFromStepId !== undefined && { forked_from_step: forkedFromStepId }),
  }
}

const outcomeOf = (step: TraceStep): JsonValue => {
  const { result, error } = membersOf(step)
  return error === undefined ? { result: result ?? null } : { error }
}

const dropNull = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
