import type { JsonObject, JsonValue, ToolDefinition } from '@retake/trace'
import { createKnown, isNothing, otherMembers, toObject, toText } from '../json-members.ts'
import { withoutDialect } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'
import { isServerTool } from './fields.ts'

const text = ['string'] as const
const toolMembers = createKnown(['input_schema', 'cache_control', 'eager_input_streaming', 'strict'], {
  name: text,
  description: text,
  type: text,
})

/** @throws UnsupportedError for a tool that Anthropic runs */
export const readTools = (tools: JsonValue[]): ToolDefinition[] =>
  tools.map((tool, index) => {
    const definition = toObject(tool)
    const type = toText(definition.type)
    if (isServerTool(type)) throw unsupported('hosted/server tools and their blocks', `tools[${index}].type ${type}`)
    const { name, description, input_schema: schema, strict } = definition
    const options: JsonObject = {
      ...(!isNothing(strict) && { strict: strict ?? null }),
      ...otherMembers(definition, toolMembers),
    }
    return {
      name: toText(name),
      description: toText(description),
      ...(schema !== undefined && schema !== null && { inputSchema: withoutDialect(schema) }),
      ...(type !== '' && type !== 'custom' && { kind: type }),
      ...(Object.keys(options).length > 0 && { options }),
    }
  })
