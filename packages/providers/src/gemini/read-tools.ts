import { isJsonObject, type JsonObject, type JsonValue, type ToolDefinition } from '@retake/trace'
import { isNothing, ofType, otherMembers, toList, toObject, toText } from '../json-members.ts'
import { type Unplaced, withoutDialect } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'
import { camelMembers } from './camel-members.ts'
import { readSchema } from './read-schema.ts'

/** Tools that Google runs itself (https://ai.google.dev/api/caching#Tool). */
const serverTools = [
  'googleSearch',
  'googleSearchRetrieval',
  'googleMaps',
  'codeExecution',
  'urlContext',
  'fileSearch',
  'retrieval',
  'enterpriseWebSearch',
  'parallelAiSearch',
  'exaAiSearch',
  'computerUse',
  'mcpServers',
]

/** @throws UnsupportedError for a tool that Google runs */
export const readTools = (tools: JsonValue[], other: Unplaced): ToolDefinition[] =>
  tools.flatMap((given, index) => {
    const path = `tools[${index}]`
    const tool = isJsonObject(given) ? camelMembers(given) : undefined
    if (!tool) {
      other.set(path, given)
      return []
    }
    for (const name of serverTools) {
      // An empty object switches one on.
      if (tool[name] !== undefined && tool[name] !== null) {
        throw unsupported('hosted/server tools and their blocks', `${path}.${name}`)
      }
    }
    const isList = Array.isArray(tool.functionDeclarations)
    for (const [name, value] of Object.entries(otherMembers(tool, isList ? ['functionDeclarations'] : []))) {
      other.set(`${path}.${name}`, value)
    }
    return toList(tool.functionDeclarations).map(readDeclaration)
  })

const text = ['string'] as const

const readDeclaration = (given: JsonValue): ToolDefinition => {
  const { parameters, parametersJsonSchema, response, ...declaration } = camelMembers(toObject(given))
  const schema = isNothing(parameters) ? parametersJsonSchema : parameters
  const isOpenApi = schema === parameters
  const options: JsonObject = {
    ...(!isOpenApi || isNothing(parametersJsonSchema) ? {} : { parametersJsonSchema: parametersJsonSchema ?? null }),
    ...(!isNothing(response) && { response: readSchema(response ?? null) }),
    ...otherMembers(declaration, ofType(declaration, { name: text, description: text })),
  }
  return {
    name: toText(declaration.name),
    description: toText(declaration.description),
    ...(!isNothing(schema) && {
      inputSchema: isOpenApi ? readSchema(schema ?? null) : withoutDialect(schema ?? null),
    }),
    ...(Object.keys(options).length > 0 && { options }),
  }
}
