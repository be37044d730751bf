import type { JsonObject, JsonValue, ToolDefinition } from '@retake/trace'
import { isNothing, ofType, otherMembers, toObject, toText } from '../json-members.ts'
import { type Unplaced, withoutDialect } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'

const text = ['string'] as const

/** @throws UnsupportedError for a tool that the provider runs */
export const readTools = (tools: JsonValue[], other: Unplaced): ToolDefinition[] =>
  tools.flatMap((tool, index) => {
    const definition = toObject(tool)
    const type = definition.type ?? 'function'
    if (type === 'function' && definition.function) return [readFunction(definition)]
    if (type === 'custom' && definition.custom) return [readCustom(definition)]
    if (type !== 'function' && type !== 'custom' && toText(type) !== '') {
      throw unsupported('hosted/server tools and their blocks', `tools[${index}].type ${toText(type)}`)
    }
    other.set(`tools[${index}]`, tool)
    return []
  })

const readFunction = (tool: JsonObject): ToolDefinition => {
  const definition = toObject(tool.function)
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
    ...withOptions({ ...(!isNothing(strict) && { strict: strict ?? null }), ...rest }, tool, 'function'),
  }
}

const readCustom = (tool: JsonObject): ToolDefinition => {
  const definition = toObject(tool.custom)
  const { name, description, format } = definition
  const rest = otherMembers(definition, ['format', ...ofType(definition, { name: text, description: text })])
  const { type, ...further } = toObject(format)
  const isPlain = isNothing(format) || (type === 'text' && isNothing(further))
  return {
    name: toText(name),
    description: toText(description),
    kind: 'custom',
    ...withOptions({ ...(!isPlain && { format: format ?? null }), ...rest }, tool, 'custom'),
  }
}

const withOptions = (inner: JsonObject, tool: JsonObject, wrapper: string): { options?: JsonObject } => {
  const options = {
    ...otherMembers(inner, ['cache_control']),
    ...otherMembers(tool, ['type', wrapper, 'cache_control']),
  }
  return Object.keys(options).length > 0 ? { options } : {}
}
