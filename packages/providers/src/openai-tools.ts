import type { JsonObject, ToolDefinition } from '@retake/trace'
import { createKnown, isNothing, otherMembers, toObject, toText } from './json-members.ts'
import { withoutDialect } from './request-fields.ts'

const named = { name: ['string'], description: ['string'] } as const
const functionMembers = createKnown(['parameters', 'strict'], named)
const customMembers = createKnown(['format'], named)

/** `beside`: members that stand around the definition. */
export const readFunctionTool = (definition: JsonObject, beside: JsonObject = {}): ToolDefinition => {
  const { name, description, parameters, strict } = definition
  const rest = otherMembers(definition, functionMembers)
  return {
    name: toText(name),
    description: toText(description),
    ...(parameters !== undefined && parameters !== null && { inputSchema: withoutDialect(parameters) }),
    ...withOptions({ ...(!isNothing(strict) && { strict: strict ?? null }), ...rest }, beside),
  }
}

/** A tool that takes one string. Its format says nothing where any text will do. */
export const readCustomTool = (definition: JsonObject, beside: JsonObject = {}): ToolDefinition => {
  const { name, description, format } = definition
  const rest = otherMembers(definition, customMembers)
  const { type, ...further } = toObject(format)
  const isPlain = isNothing(format) || (type === 'text' && isNothing(further))
  return {
    name: toText(name),
    description: toText(description),
    kind: 'custom',
    ...withOptions({ ...(!isPlain && { format: format ?? null }), ...rest }, beside),
  }
}

const withOptions = (inner: JsonObject, beside: JsonObject): { options?: JsonObject } => {
  const options = otherMembers({ ...inner, ...beside }, ['cache_control'])
  return Object.keys(options).length > 0 ? { options } : {}
}
