import type { CassetteFile } from '../cassette-file.ts'
import { UnsupportedError } from '../error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import type { Trace, TraceStep } from '../trace.ts'
import { toStoredExtras } from './extras.ts'
import { createReferences, type References } from './references.ts'
import { fileSeal, stepSum } from './seal.ts'
import { toStoredValue } from './stored-value.ts'
import { type V3File, type V3Step, v3Version } from './v3-file.ts'
import { createInputWriter, hasMessages } from './write-input.ts'

/**
 * The v3 form of a cassette whose hash chain is known to be right: what v3 derives (index, prevHash, hash) is left out.
 * @throws UnsupportedError for what v3 has no place for: further members of header or step, times that are no whole
 * milliseconds
 */
export function toV3({ trace, test, extras }: Omit<CassetteFile, 'format'>): V3File {
  refuseUnknownMembers(trace)
  const { id, createdAt, parentId, forkedFromStepId } = trace
  const stored = toStoredExtras(extras, trace)
  const file = {
    version: v3Version,
    ...(test === undefined ? {} : { test: { file: test.file, name: test.name } }),
    id,
    ...(parentId === undefined ? {} : { parentId }),
    ...(forkedFromStepId === undefined ? {} : { forkedFromStepId }),
    createdAt,
    steps: writeSteps(trace),
    at: trace.steps.map(({ timestamp }, index) => millisecondsAfter(createdAt, timestamp, index)),
    ...(stored.length === 0 ? {} : { extras: stored }),
  } as const
  return { ...file, seal: fileSeal(file) }
}

function writeSteps(trace: Trace): V3Step[] {
  const references = createReferences()
  const writeInput = createInputWriter(references)
  return trace.steps.map((step) => {
    const { type, id, index, payload } = step
    const written = {
      type,
      ...(id === `${trace.id}:${index}` ? {} : { id }),
      ...(type === 'model_input' && hasMessages(payload)
        ? writeInput(index, payload)
        : { payload: writePayload(step, references) }),
    }
    references.add(type, payload)
    return { ...written, sum: stepSum(written) }
  })
}

function writePayload({ type, payload }: TraceStep, references: References): JsonValue {
  if (type === 'tool_call' && isJsonObject(payload) && typeof payload.toolCallId === 'string') {
    const known = references.call(payload.toolCallId)
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(payload)) {
      return { $call: toStoredValue(payload.toolCallId) }
    }
  }
  return toStoredValue(payload)
}

function millisecondsAfter(createdAt: number, timestamp: number, index: number): number {
  const after = timestamp - createdAt
  const isExact = [createdAt, timestamp, after].every(Number.isSafeInteger) && createdAt + after === timestamp
  if (isExact) return after
  throw new UnsupportedError(
    `the trace cannot be written as v3: the time of step ${index} is no whole number of milliseconds after createdAt. Keep it as v2.`,
    { name: 'time', step: index },
  )
}

const headerMembers = ['version', 'id', 'createdAt', 'steps', 'parentId', 'forkedFromStepId']
const stepMembers = ['id', 'index', 'type', 'timestamp', 'payload', 'prevHash', 'hash']

function refuseUnknownMembers(trace: Trace): void {
  refuseOthers(trace, headerMembers, 'the header')
  trace.steps.forEach((step, index) => {
    refuseOthers(step, stepMembers, `step ${index}`)
  })
}

function refuseOthers(value: JsonObject, known: readonly string[], where: string): void {
  const other = Object.keys(value).find((name) => !known.includes(name))
  if (other === undefined) return
  throw new UnsupportedError(
    `the trace cannot be written as v3: ${where} has a member that the format does not know. Keep it as v2.`,
    { name: 'unknown member', where },
  )
}
