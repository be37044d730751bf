import { isJsonObject, type JsonObject, type JsonValue, type ModelInput } from '@retake/trace'
import { ANY, type PathPattern, parsePathIn, requestRoots } from './path.ts'

/**
 * A request without the members that patterns name, which are then the same on both sides of a comparison. Indexes count
 * in the request as given. Shares what it does not change.
 * @throws ConfigError for a pattern that is no path, or that begins with no part of a request
 */
export const withoutIgnored = (request: ModelInput, patterns: readonly string[] = []): ModelInput => {
  if (patterns.length === 0) return request
  let value: JsonValue | undefined = request
  for (const pattern of patterns)
    value = value === undefined ? undefined : without(value, parsePathIn(requestRoots, pattern))
  const left = (value ?? {}) as Partial<ModelInput> & JsonObject
  return {
    ...left,
    // Without its content a message is still a message, and a tool without its description is still a tool.
    messages: (left.messages ?? []).map((message) => ({ ...message, content: message.content ?? '' })),
    tools: left.tools ?? [],
  }
}

const without = (value: JsonValue, [first, ...rest]: PathPattern): JsonValue | undefined => {
  if (first === undefined) return undefined
  if (Array.isArray(value)) {
    if (first !== ANY && typeof first !== 'number') return value
    return value.flatMap((item, index) => {
      const left = first === ANY || first === index ? without(item, rest) : item
      return left === undefined ? [] : [left]
    })
  }
  if (!isJsonObject(value) || typeof first === 'number') return value
  const left: JsonObject = {}
  for (const [key, member] of Object.entries(value)) {
    const kept = first === ANY || first === key ? without(member, rest) : member
    if (kept !== undefined) define(left, key, kept)
  }
  return left
}

// Assignment would set the prototype for a member named __proto__.
const define = (object: JsonObject, key: string, value: JsonValue): void => {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}
