const longest = 50_000
const around = 2_000

/**
 * Two texts cut to what stands around their difference where one is very long, so that showing them takes no longer than
 * reading a page. What is left out is counted in its place.
 */
export const clipTexts = (before: string, after: string): [string, string] => {
  if (before.length <= longest && after.length <= longest) return [before, after]
  const shortest = Math.min(before.length, after.length)
  let head = 0
  while (head < shortest && before.charCodeAt(head) === after.charCodeAt(head)) head++
  let tail = 0
  while (
    tail < shortest - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++
  }
  const from = head > around ? head - around : 0
  const end = tail > around ? tail - around : 0
  const cut = (text: string): string => note(from) + clipText(text.slice(from, text.length - end), longest) + note(end)
  return [cut(before), cut(after)]
}

/** A text, or its beginning and how much is left. */
export const clipText = (text: string, most = longest): string =>
  text.length <= most ? text : text.slice(0, most) + note(text.length - most)

const note = (characters: number): string => (characters === 0 ? '' : `\n… ${characters} characters\n`)
