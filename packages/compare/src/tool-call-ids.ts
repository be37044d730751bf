import { isJsonObject, type JsonValue, type Trace } from '@retake/trace'

/** The id for the next call of a run: after all of the form `call-N` that its steps and histories hold. */
export const nextToolCallId = ({ steps }: Pick<Trace, 'steps'>): string => {
  const seen = new WeakSet<object>()
  let last = -1
  const look = (value: JsonValue | undefined): void => {
    if (!isJsonObject(value) || seen.has(value)) return
    seen.add(value)
    const [, number] = /^call-(\d+)$/.exec(String(value.toolCallId)) ?? []
    if (number !== undefined && Number.isSafeInteger(Number(number))) last = Math.max(last, Number(number))
    // Only where the format has calls: what a tool took or gave is the user's own.
    for (const list of [value.messages, value.content, value.calls, value.parts]) {
      if (Array.isArray(list)) for (const item of list) look(item)
    }
  }
  for (const { payload } of steps) look(payload)
  return `call-${last + 1}`
}
