import type { JsonObject, ToolDefinition } from '@retake/trace'
import { isNothing, ofType, otherMembers, toObject, toText } from './json-members.ts'
import { withoutDialect } from './request-fields.ts'

const text = ['string'] as const

/** `beside`: members that stand around the definition. */
export const readFunctionTool = (definition: JsonObject, beside: JsonObject = {}): ToolDefinition => {
  const { name, description, parameters, strict } = definition
  const rest = otherMembers(definition, [
    'parameters',
    'strict',
    ...ofType(definition, { name: text, description: text }),
  ])
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
  const rest = otherMembers(definition, ['format', ...ofType(definition, { name: text, description: text })])
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
