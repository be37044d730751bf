import type { CassetteFile } from '../cassette-file.ts'
import { withDerivedChain } from '../derived-chain.ts'
import { deepFreeze } from '../json/deep-freeze.ts'
import type { JsonObject, JsonValue } from '../json/json.ts'
import { CURRENT_TRACE_VERSION, type TraceStep } from '../trace.ts'
import { createSizeMeter } from './expanded-size.ts'
import { fromStoredExtras } from './extras.ts'
import { createInputReader, type Reading } from './read-input.ts'
import { readReference } from './read-message.ts'
import { createReferences } from './references.ts'
import { fail, fromStoredValue, type Place, within } from './stored-value.ts'
import type { V3File, V3Step } from './v3-file.ts'
import { checkV3Shape } from './v3-shape.ts'

/**
 * The cassette in the JSON value of a v3 file; its seal is not looked at. Payloads are frozen and share their parts;
 * hashes are worked out when they are first read.
 * @param maxExpanded how much the trace may grow to, about in code units of its v2 text
 * @throws Fault for anything that the format does not allow
 */
export function fromV3(value: JsonObject, maxExpanded: number): CassetteFile {
  const file = checkV3Shape(value)
  const { id, createdAt, parentId, forkedFromStepId, test, extras } = file
  let left = maxExpanded
  const spend = (size: number, place: Place): void => {
    left -= size
    if (left < 0) fail(`the trace expands beyond ${maxExpanded} characters`, place)
  }
  const steps = readSteps(file, { references: createReferences(), sizeOf: createSizeMeter(), spend })
  const isReply = (step: number): boolean => steps[step]?.type === 'model_output'
  return {
    trace: {
      version: CURRENT_TRACE_VERSION,
      id,
      createdAt,
      steps,
      ...(parentId === undefined ? {} : { parentId }),
      ...(forkedFromStepId === undefined ? {} : { forkedFromStepId }),
    },
    format: 'v3',
    ...(test === undefined ? {} : { test }),
    extras: extras === undefined ? [] : fromStoredExtras(extras, isReply, left / 8, ['extras']),
  }
}

function readSteps(file: V3File, reading: Reading): TraceStep[] {
  const readInput = createInputReader(reading)
  const steps = file.steps.map((step, index) => {
    const { type } = step
    const place: Place = ['steps', index]
    const input = type === 'model_input' ? readInput(index, step, place) : undefined
    const payload = deepFreeze(input ?? readPayload(step, reading, place))
    reading.references.add(type, payload)
    return {
      id: step.id ?? `${file.id}:${index}`,
      index,
      type,
      timestamp: file.createdAt + (file.at[index] ?? 0),
      payload,
    }
  })
  return withDerivedChain(steps)
}

function readPayload(step: V3Step, { references, sizeOf, spend }: Reading, place: Place): JsonValue {
  for (const name of ['since', 'drop', 'order']) {
    if (Object.hasOwn(step, name)) fail(`${name} has no meaning here`, [...place, name])
  }
  return within(place, 'payload', () => {
    const call = step.type === 'tool_call' ? readReference(step.payload, '$call', references.call, place) : undefined
    const payload = call === undefined ? fromStoredValue(step.payload, place) : { ...call }
    spend(sizeOf(payload), place)
    return payload
  })
}
