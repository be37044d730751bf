import type { PathPattern } from '@retake/compare'
import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'

/** One property of a schema, on one line. */
export interface Property {
  /** `orderId`, `address.street`, `items[].sku`; `(itself)` for what the schema says of its root. */
  name: string
  /** `string, pattern ^A-[0-9]+$` */
  type: string
  isRequired: boolean
  description?: string
}

export const rootName = '(itself)'

/** Keywords that have a place of their own in the outline, or say nothing about values. */
const placed = new Set(['type', 'properties', 'required', 'items', 'description', 'enum', 'const', '$ref', '$defs'])
const joiners = { anyOf: ' | ', oneOf: ' | ', allOf: ' & ' } as const

/** A JSON Schema as a list of typed properties, nested ones by their path. Every keyword is in some line. */
export const toOutline = (schema: JsonValue | undefined): Map<string, Property> => {
  const outline = new Map<string, Property>()
  if (schema === undefined) return outline
  addProperty(outline, rootName, schema, true)
  addNested(outline, '', schema)
  return outline
}

const addProperty = (outline: Map<string, Property>, name: string, schema: JsonValue, isRequired: boolean): void => {
  const description = isJsonObject(schema) ? schema.description : undefined
  outline.set(name, {
    name,
    type: formatType(schema),
    isRequired,
    ...(typeof description === 'string' && { description }),
  })
}

const addNested = (outline: Map<string, Property>, path: string, schema: JsonValue): void => {
  if (!isJsonObject(schema)) return
  const required = Array.isArray(schema.required) ? schema.required : []
  for (const [group, prefix] of [
    [schema.properties, path === '' ? '' : `${path}.`],
    [schema.$defs, `${path === '' ? '' : `${path}.`}$defs.`],
  ] as const) {
    if (!isJsonObject(group)) continue
    for (const [key, property] of Object.entries(group)) {
      const name = prefix + key
      addProperty(outline, name, property, group === schema.properties && required.includes(key))
      addNested(outline, name, property)
    }
  }
  if (schema.items !== undefined && !Array.isArray(schema.items)) addNested(outline, `${path}[]`, schema.items)
}

/** The type of a schema on one line; properties that stand in lines of their own are left out. */
export const formatType = (schema: JsonValue): string => {
  if (schema === true) return 'any'
  if (!isJsonObject(schema)) return schema === false ? 'never' : JSON.stringify(schema)
  const joined = Object.entries(joiners).flatMap(([keyword, joiner]) => formatJoined(schema, keyword, joiner))
  const rest = Object.keys(schema)
    .filter((keyword) => !placed.has(keyword) && !isJoined(schema, keyword))
    .sort()
    .map((keyword) => `${keyword} ${formatKeyword(schema[keyword])}`)
  return [formatBase(schema), ...joined, ...rest].filter((part) => part !== '').join(', ') || 'any'
}

const formatBase = (schema: JsonObject): string => {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (typeof schema.$ref === 'string') return schema.$ref
  if (schema.items !== undefined) return formatItems(schema)
  const { type } = schema
  if (Array.isArray(type)) return type.join(' | ')
  return typeof type === 'string' ? type : ''
}

const formatItems = ({ items, type }: JsonObject): string => {
  if (items === undefined || Array.isArray(items)) return `${JSON.stringify(items)}[]`
  const item = formatType(items)
  const list = /[\s|,]/.test(item) ? `(${item})[]` : `${item}[]`
  return type === undefined || type === 'array' ? list : `${list}, type ${JSON.stringify(type)}`
}

const isJoined = (schema: JsonObject, keyword: string): boolean =>
  Object.hasOwn(joiners, keyword) && Array.isArray(schema[keyword])

const formatJoined = (schema: JsonObject, keyword: string, joiner: string): string[] => {
  const alternatives = schema[keyword]
  if (!Array.isArray(alternatives)) return []
  const text = alternatives.map(formatAlternative).join(joiner)
  return [keyword === 'oneOf' ? `one of ${text}` : text]
}

// An alternative has no lines of its own, so one with properties is shown as it is.
const formatAlternative = (schema: JsonValue): string =>
  isJsonObject(schema) && (schema.properties !== undefined || schema.description !== undefined)
    ? JSON.stringify(schema)
    : formatType(schema)

const formatKeyword = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** Name of the property that a difference below a schema belongs to, as the outline has it. */
export const propertyOf = (path: PathPattern, { before, after }: { before?: JsonValue; after?: JsonValue }): string => {
  let name = ''
  let at = 0
  for (; at < path.length; at += 2) {
    const [keyword, key] = [path[at], path[at + 1]]
    if (keyword === 'items' && (key === 'properties' || key === 'items' || key === 'required')) {
      name += '[]'
      at--
    } else if ((keyword === 'properties' || keyword === '$defs') && typeof key === 'string') {
      name += `${name === '' ? '' : '.'}${keyword === '$defs' ? '$defs.' : ''}${key}`
    } else break
  }
  if (path[at] !== 'required') return name === '' ? rootName : name
  const required = after ?? before
  return typeof required === 'string' ? `${name === '' ? '' : `${name}.`}${required}` : name
}
