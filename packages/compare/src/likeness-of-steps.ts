import { isJsonObject, type JsonObject, type TraceStep } from '@retake/trace'
import { likenessOfTexts } from './likeness.ts'

/** How much a step of one run looks like one of another, 0 to 1; negative where they have different work to do. */
export const likenessOfSteps = (before: TraceStep, after: TraceStep): number => {
  const [one, other] = [before.payload, after.payload]
  if (before.type !== after.type || !isJsonObject(one) || !isJsonObject(other)) return -1
  const text = likenessOfTexts(textOf(one), textOf(other))
  if (before.type === 'model_input' || before.type === 'metadata') return 0.2 + 0.8 * text
  if (before.type === 'model_output') return one.type === other.type ? 0.2 + 0.8 * text : 0
  if (one.toolName !== other.toolName) return -1
  return (one.toolCallId === other.toolCallId ? 0.5 : 0.1) + 0.5 * text
}

const texts = new WeakMap<JsonObject, string>()

// Of a request only its end, since its beginning repeats the requests before it.
const textOf = (payload: JsonObject): string => {
  const known = texts.get(payload)
  if (known !== undefined) return known
  const text = JSON.stringify(Array.isArray(payload.messages) ? payload.messages.at(-1) : payload) ?? ''
  texts.set(payload, text)
  return text
}
