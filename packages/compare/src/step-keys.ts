import { canonicalJson, isJsonObject, type JsonValue, type TraceStep } from '@retake/trace'

/**
 * Short texts that are equal exactly where two steps have the same type and payload. A message that many requests repeat
 * is written out once, so that long histories cost no more than their new messages.
 */
export const createStepKeys = (): ((step: TraceStep) => string) => {
  const numbers = new Map<string, number>()
  const known = new WeakMap<object, number>()
  const numberOf = (value: JsonValue): number => {
    const object = typeof value === 'object' && value !== null ? value : undefined
    const seen = object && known.get(object)
    if (seen !== undefined) return seen
    const text = canonicalJson(value)
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    if (object) known.set(object, number)
    return number
  }
  return ({ type, payload }) => {
    if (type !== 'model_input' || !isJsonObject(payload) || !Array.isArray(payload.messages)) {
      return `${type} ${numberOf(payload)}`
    }
    const { messages, ...others } = payload
    const members = Object.entries(others).map(([key, value]) => `${JSON.stringify(key)}:${numberOf(value)}`)
    return `${type} ${messages.map(numberOf).join(',')} ${members.sort().join(' ')}`
  }
}
