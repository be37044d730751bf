/** Cuts one text into the deltas in which it came. */
export type Cut = (text: string) => string[]

/**
 * Hands out the recorded delta lengths (UTF-16 code units), text by text in order. Without lengths, or from the first
 * text that they do not fit, a text is one delta. An empty text is one empty delta.
 */
export const createCut = (lengths: readonly number[] = []): Cut => {
  let at = 0
  return (text) => {
    const pieces: string[] = []
    let done = 0
    while (done < text.length) {
      const length = lengths[at] ?? 0
      if (length <= 0 || done + length > text.length) {
        at = lengths.length
        return [text]
      }
      pieces.push(text.slice(done, done + length))
      done += length
      at++
    }
    return text === '' ? [text] : pieces
  }
}
