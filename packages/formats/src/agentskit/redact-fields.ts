import { isJsonObject, type JsonValue } from '@retake/trace'

const redacted = '[REDACTED]'

/** A copy in which the value of every member with one of these names, at any depth, is `[REDACTED]`. */
export function redactFields(value: JsonValue, fields: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => redactFields(item, fields))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      fields.has(name.toLowerCase()) ? redacted : redactFields(member, fields),
    ]),
  )
}
