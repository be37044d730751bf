import { Fault } from './json/fault.ts'
import { isJsonObject, type JsonObject } from './json/json.ts'
import type { TraceStepType } from './trace.ts'

export const stepTypes: readonly TraceStepType[] = [
  'model_input',
  'model_output',
  'tool_call',
  'tool_result',
  'metadata',
]

/** The first member of a v2 header that is missing or of the wrong kind. Steps are not looked into. */
export function headerFault(trace: JsonObject): Fault | undefined {
  return (
    memberFault(trace, 'id', isString, 'a string', []) ??
    memberFault(trace, 'createdAt', isNumber, 'a number', []) ??
    memberFault(trace, 'steps', Array.isArray, 'an array', []) ??
    optionalFault(trace, 'parentId') ??
    optionalFault(trace, 'forkedFromStepId')
  )
}

/** The first member of a v2 step that is missing or of the wrong kind. The payload may be anything. */
export function stepFault(step: unknown, index: number): Fault | undefined {
  const path = ['steps', index]
  if (!isJsonObject(step)) return new Fault('a step is no object', path)
  return (
    memberFault(step, 'id', isString, 'a string', path) ??
    memberFault(step, 'index', isNumber, 'a number', path) ??
    memberFault(step, 'type', isStepType, 'a known step type', path) ??
    memberFault(step, 'timestamp', isNumber, 'a number', path) ??
    memberFault(step, 'payload', isAnything, 'a value', path) ??
    memberFault(step, 'prevHash', isHashOrNull, 'a string or null', path) ??
    memberFault(step, 'hash', isString, 'a string', path)
  )
}

function memberFault(
  owner: JsonObject,
  name: string,
  accepts: (value: unknown) => boolean,
  kind: string,
  path: (string | number)[],
): Fault | undefined {
  if (!Object.hasOwn(owner, name)) return new Fault(`${name} is missing`, path)
  return accepts(owner[name]) ? undefined : new Fault(`${name} is not ${kind}`, [...path, name])
}

const optionalFault = (trace: JsonObject, name: string): Fault | undefined =>
  Object.hasOwn(trace, name) ? memberFault(trace, name, isString, 'a string', []) : undefined

const isString = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isStepType = (value: unknown): boolean => stepTypes.some((type) => type === value)
const isHashOrNull = (value: unknown): boolean => value === null || typeof value === 'string'
const isAnything = (value: unknown): boolean => value !== undefined
