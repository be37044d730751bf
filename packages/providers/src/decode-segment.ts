/** A part of a path, or a text of a URL, as it was meant; as it stands where it is not encoded well. */
export const decodeSegment = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
