/**
 * Line of a step in the text of a cassette, from 1. Both formats begin every step on a line of its own, four columns in;
 * undefined where another layout was given to the file.
 */
export const stepLine = (text: string, index: number): number | undefined => {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => /^ {2}"steps": \[$/.test(line))
  let left = index
  for (let at = start + 1; start >= 0 && at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (/^ {2}\]/.test(line)) return undefined
    if (/^ {4}\{/.test(line) && left-- === 0) return at + 1
  }
  return undefined
}
