import { isJsonObject, type JsonObject, type JsonValue, type ToolDefinition } from '@retake/trace'
import { createKnown, isNothing, otherMembers, toText } from '../json-members.ts'
import { type Unplaced, withoutDialect } from '../request-fields.ts'
import { withoutCacheMarks } from './fields.ts'

const text = ['string'] as const
const functionMembers = createKnown(['type', 'inputSchema', 'strict', 'providerOptions'], {
  name: text,
  description: text,
})

/** Tools that a provider defines are compared; whether it runs them itself shows in the reply. */
export const readTools = (tools: JsonValue[], other: Unplaced): ToolDefinition[] =>
  tools.flatMap((tool, index) => {
    if (isJsonObject(tool) && tool.type === 'function') return [readFunction(tool)]
    if (isJsonObject(tool) && tool.type === 'provider') {
      const options = otherMembers(tool, ['type', 'id', 'name'])
      return [{ name: toText(tool.name), description: '', kind: toText(tool.id), options }]
    }
    other.set(`tools[${index}]`, tool)
    return []
  })

const readFunction = (tool: JsonObject): ToolDefinition => {
  const { name, description, inputSchema, strict, providerOptions } = tool
  const ofProvider = withoutCacheMarks(providerOptions)
  const options: JsonObject = {
    ...(!isNothing(strict) && { strict: strict ?? null }),
    ...(!isNothing(ofProvider) && { providerOptions: ofProvider }),
    ...otherMembers(tool, functionMembers),
  }
  return {
    name: toText(name),
    description: toText(description),
    ...(!isNothing(inputSchema) && { inputSchema: withoutDialect(inputSchema ?? null) }),
    ...(!isNothing(options) && { options }),
  }
}
