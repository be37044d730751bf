import type { JsonValue, ToolDefinition } from '@retake/trace'
import { isNothing, otherMembers, toList, toObject, toText } from '../json-members.ts'
import { readCustomTool, readFunctionTool } from '../openai-tools.ts'
import type { Unplaced } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'

/**
 * Functions and custom tools; those of a namespace under `namespace.name`.
 * @throws UnsupportedError for a tool that the provider runs or defines
 */
export const readTools = (tools: JsonValue[], other: Unplaced, path = 'tools'): ToolDefinition[] =>
  tools.flatMap((tool, index) => {
    const { type, ...definition } = toObject(tool)
    const here = `${path}[${index}]`
    if (type === 'function' && typeof definition.name === 'string') return [readFunctionTool(definition)]
    if (type === 'custom' && typeof definition.name === 'string') return [readCustomTool(definition)]
    if (type === 'namespace' && path === 'tools') {
      const { name, description, tools: inner } = definition
      const rest = otherMembers(definition, ['name', 'description', 'tools'])
      if (!isNothing(rest)) other.set(here, rest)
      return readTools(toList(inner), other, `${here}.tools`).map((read) => ({
        ...read,
        name: `${toText(name)}.${read.name}`,
        ...(toText(description) !== '' && { options: { ...read.options, namespace: toText(description) } }),
      }))
    }
    if (type !== 'function' && type !== 'custom' && toText(type) !== '') {
      throw unsupported('hosted/server tools and their blocks', `${here}.type ${toText(type)}`)
    }
    other.set(here, tool)
    return []
  })
