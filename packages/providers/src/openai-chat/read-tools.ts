import type { JsonObject, JsonValue, ToolDefinition } from '@retake/trace'
import { otherMembers, toObject, toText } from '../json-members.ts'
import { readCustomTool, readFunctionTool } from '../openai-tools.ts'
import type { Unplaced } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'

/** @throws UnsupportedError for a tool that the provider runs */
export const readTools = (tools: JsonValue[], other: Unplaced): ToolDefinition[] =>
  tools.flatMap((tool, index) => {
    const definition = toObject(tool)
    const type = definition.type ?? 'function'
    if (type === 'function' && definition.function) {
      return [readFunctionTool(toObject(definition.function), besides(definition, 'function'))]
    }
    if (type === 'custom' && definition.custom) {
      return [readCustomTool(toObject(definition.custom), besides(definition, 'custom'))]
    }
    if (type !== 'function' && type !== 'custom' && toText(type) !== '') {
      throw unsupported('hosted/server tools and their blocks', `tools[${index}].type ${toText(type)}`)
    }
    other.set(`tools[${index}]`, tool)
    return []
  })

const besides = (tool: JsonObject, wrapper: string): JsonObject => otherMembers(tool, ['type', wrapper])
