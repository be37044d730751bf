import { isJsonObject, type JsonObject, type JsonValue, type ToolDefinition } from '@retake/trace'
import { createKnown, isNothing, otherMembers, toObject, toText } from '../json-members.ts'
import { type Unplaced, withoutDialect } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'

const text = ['string'] as const
const specMembers = createKnown(['inputSchema', 'strict'], { name: text, description: text })

/** @throws UnsupportedError for a tool that the provider runs */
export const readTools = (tools: JsonValue[], other: Unplaced): ToolDefinition[] =>
  tools.flatMap((given, index) => {
    const path = `toolConfig.tools[${index}]`
    const { toolSpec, systemTool, ...others } = toObject(given)
    if (!isNothing(systemTool)) throw unsupported('hosted/server tools and their blocks', `${path}.systemTool`)
    if (!isJsonObject(toolSpec)) {
      // A mark of the cache changes no answer.
      if (!isJsonObject(given) || !('cachePoint' in given)) other.set(path, given)
      return []
    }
    for (const [name, value] of Object.entries(otherMembers(others, ['cachePoint'])))
      other.set(`${path}.${name}`, value)
    return [readSpec(toolSpec)]
  })

const readSpec = (spec: JsonObject): ToolDefinition => {
  const { json, ...ofSchema } = toObject(spec.inputSchema)
  const options: JsonObject = {
    ...(!isNothing(spec.strict) && { strict: spec.strict ?? null }),
    ...(!isNothing(ofSchema) && { inputSchema: ofSchema }),
    ...otherMembers(spec, specMembers),
  }
  return {
    name: toText(spec.name),
    description: toText(spec.description),
    ...(json !== undefined && json !== null && { inputSchema: withoutDialect(json) }),
    ...(Object.keys(options).length > 0 && { options }),
  }
}
