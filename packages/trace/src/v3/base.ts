import type { JsonObject, JsonValue } from '../json/json.ts'

/** A model_input payload with its messages and members as numbers: equal compact JSON, equal number. */
export interface Input {
  step: number
  messages: number[]
  members: Map<string, number>
}

/** Numbers values by their compact JSON. An object that was numbered before is not printed again. */
export function createNumbering(): (value: JsonValue) => number {
  const byText = new Map<string, number>()
  const byObject = new WeakMap<object, number>()
  return (value) => {
    const isObject = typeof value === 'object' && value !== null
    const before = isObject ? byObject.get(value) : undefined
    if (before !== undefined) return before
    const text = JSON.stringify(value)
    const number = byText.get(text) ?? byText.size
    byText.set(text, number)
    if (isObject) byObject.set(value, number)
    return number
  }
}

export function toInput(step: number, payload: JsonObject, number: (value: JsonValue) => number): Input {
  const { messages, ...members } = payload
  return {
    step,
    messages: (messages as JsonValue[]).map(number),
    members: new Map(Object.entries(members).map(([name, value]) => [name, number(value)])),
  }
}

/** Finds the earlier input that a new one is best written as a change of, and takes the new one in. */
export function createBases(): (input: Input) => Input | undefined {
  const earlier: (Input & { set: Set<number> })[] = []
  const everSeen = new Set<number>()
  return (input) => {
    const most = input.messages.filter((message) => everSeen.has(message)).length
    let best: { base: Input; messages: number; members: number } | undefined
    for (let at = earlier.length - 1; at >= 0; at--) {
      const base = earlier[at] as Input & { set: Set<number> }
      const messages = input.messages.filter((message) => base.set.has(message)).length
      const members = [...input.members].filter(([name, value]) => base.members.get(name) === value).length
      if (messages + members === 0) continue
      const isBetter =
        best === undefined || messages > best.messages || (messages === best.messages && members > best.members)
      if (isBetter) best = { base, messages, members }
      // Nothing earlier can share more, and of equals the latest is taken.
      if (best?.messages === most && best.members === input.members.size) break
    }
    earlier.push({ ...input, set: new Set(input.messages) })
    for (const message of input.messages) everSeen.add(message)
    return best?.base
  }
}

/** Either a message of the new list by index, or a half-open range of the base's messages. */
export type Piece = { message: number } | { keep: [from: number, to: number] }

/** From the left the longest run that the base holds, the lowest index of equals. */
export function toPieces(messages: readonly number[], base: readonly number[]): Piece[] {
  const places = Map.groupBy(base.keys(), (at) => base[at] as number)
  const pieces: Piece[] = []
  for (let at = 0; at < messages.length; ) {
    const [from, length] = longestRun(messages, at, base, places.get(messages[at] as number) ?? [])
    pieces.push(length === 0 ? { message: at } : { keep: [from, from + length] })
    at += Math.max(length, 1)
  }
  return pieces
}

function longestRun(
  messages: readonly number[],
  at: number,
  base: readonly number[],
  starts: readonly number[],
): [from: number, length: number] {
  let from = 0
  let longest = 0
  for (const start of starts) {
    if (base.length - start <= longest) break
    let length = 1
    while (
      at + length < messages.length &&
      start + length < base.length &&
      messages[at + length] === base[start + length]
    ) {
      length++
    }
    if (length <= longest) continue
    from = start
    longest = length
    if (at + length === messages.length) break
  }
  return [from, longest]
}
