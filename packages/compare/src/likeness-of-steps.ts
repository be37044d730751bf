import { isJsonObject, type JsonObject, type JsonValue, type MessagePart, type TraceStep } from '@retake/trace'
import { likenessOfTexts } from './likeness.ts'
import { partText, toText } from './part-text.ts'

/** How much a step of one run looks like one of another, 0 to 1; negative where they have different work to do. */
export const likenessOfSteps = (before: TraceStep, after: TraceStep): number => {
  const [one, other] = [before.payload, after.payload]
  if (before.type !== after.type || !isJsonObject(one) || !isJsonObject(other)) return -1
  const text = likenessOfTexts(textOf(one), textOf(other))
  if (before.type === 'metadata') return 0.2 + 0.8 * text
  if (before.type === 'model_input') return 0.2 + (lengthOf(one) === lengthOf(other) ? 0.2 : 0) + 0.6 * text
  if (before.type === 'model_output') return one.type === other.type ? 0.2 + 0.8 * text : 0
  if (one.toolName !== other.toolName) return -1
  return (one.toolCallId === other.toolCallId ? 0.5 : 0.1) + 0.5 * text
}

const lengthOf = ({ messages }: JsonObject): number => (Array.isArray(messages) ? messages.length : 0)

const texts = new WeakMap<JsonObject, string>()

// Of a request only what its last message says: its beginning repeats the requests before it.
const textOf = (payload: JsonObject): string => {
  const known = texts.get(payload)
  if (known !== undefined) return known
  const text = Array.isArray(payload.messages) ? contentText(payload.messages.at(-1)) : JSON.stringify(payload)
  texts.set(payload, text)
  return text
}

const contentText = (message: JsonValue | undefined): string => {
  const content = isJsonObject(message) ? message.content : undefined
  return Array.isArray(content) ? content.map((part) => partText(part as MessagePart)).join('\n') : toText(content)
}
