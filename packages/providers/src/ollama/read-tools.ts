import { isJsonObject, type JsonValue, type ToolDefinition } from '@retake/trace'
import { otherMembers } from '../json-members.ts'
import { readFunctionTool } from '../openai-tools.ts'
import type { Unplaced } from '../request-fields.ts'

/** The client runs every tool of this wire. */
export const readTools = (tools: JsonValue[], other: Unplaced): ToolDefinition[] =>
  tools.flatMap((tool, index) => {
    const definition = isJsonObject(tool) && (tool.type ?? 'function') === 'function' ? tool.function : undefined
    if (isJsonObject(tool) && isJsonObject(definition)) {
      return [readFunctionTool(definition, otherMembers(tool, ['type', 'function']))]
    }
    other.set(`tools[${index}]`, tool)
    return []
  })
