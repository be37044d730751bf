import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { camelMembers } from './camel-members.ts'

/** Members that count; the JSON of the API may write a 64-bit number as a text. */
const counts = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']

/**
 * An OpenAPI schema of the API in the form that JSON Schema gives it: types in lower case, counts as numbers
 * (https://ai.google.dev/api/caching#Schema). Names of properties stay as they are.
 */
export const readSchema = (schema: JsonValue): JsonValue => {
  if (!isJsonObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(camelMembers(schema)).map(([name, value]) => [name, readMember(name, value)]),
  )
}

const readMember = (name: string, value: JsonValue): JsonValue => {
  if (name === 'type') return typeof value === 'string' ? value.toLowerCase() : value
  if (counts.includes(name)) return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (name === 'properties' || name === 'defs') return isJsonObject(value) ? readEach(value) : value
  if (name === 'items' || name === 'additionalProperties') return readSchema(value)
  return name === 'anyOf' && Array.isArray(value) ? value.map(readSchema) : value
}

const readEach = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, readSchema(schema)]))
