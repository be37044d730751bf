/** What a client made of one reply. */
export interface Seen {
  text: string
  /** Name and input of each call, the input as the JSON that the model wrote where the client gives it. */
  calls: [name: string, input: string][]
  /** Everything else that the client tells of the reply: thinking, stop, usage, model; the deltas of a stream in order. */
  [rest: string]: unknown
}

/** One way to ask a model once, with the two tools at hand. */
export type Ask = (url: string) => Promise<Seen>

export const call = (name: string | undefined, input: unknown): [string, string] => [
  name ?? '',
  typeof input === 'string' ? input : JSON.stringify(input ?? {}),
]

export const collect = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const items: T[] = []
  for await (const item of stream) items.push(item)
  return items
}

/** Deltas that say something: vendors and replays differ in the empty ones. */
export const spoken = (deltas: Record<string, unknown>[]): Record<string, unknown>[] =>
  deltas.flatMap((delta) => {
    const told = Object.entries(delta).filter(([, value]) => value !== '' && value !== null && value !== undefined)
    return told.length > 0 ? [Object.fromEntries(told)] : []
  })
