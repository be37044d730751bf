import { fail, type Place } from './stored-value.ts'

/** Chunk lengths as one text: `5,3,7x12` is five, three, and seven twelve times. */
export function formatChunks(lengths: readonly number[]): string {
  const runs: { length: number; times: number }[] = []
  for (const length of lengths) {
    const last = runs.at(-1)
    if (last?.length === length) last.times++
    else runs.push({ length, times: 1 })
  }
  return runs.map(({ length, times }) => (times === 1 ? `${length}` : `${length}x${times}`)).join(',')
}

/** @throws Fault for text that is none, or that stands for more than `most` chunks */
export function parseChunks(text: string, most: number, place: Place): number[] {
  const lengths: number[] = []
  if (text === '') return lengths
  for (const run of text.split(',')) {
    const match = /^(0|[1-9]\d{0,14})(?:x([1-9]\d{0,14}))?$/.exec(run)
    if (match === null) fail('chunks is not written as lengths and repeats', place)
    const times = Number(match[2] ?? 1)
    if (lengths.length + times > most) fail('the file expands beyond the limit', place)
    for (let count = 0; count < times; count++) lengths.push(Number(match[1]))
  }
  return lengths
}
