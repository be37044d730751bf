import type { JsonValue } from '@retake/trace'

const token = /"(?:[^"\\]|\\.)*"|[^\s"]+|\s+|"/g

const compactToken = (text: string): string => {
  if (!text.startsWith('"')) return text.trim()
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

/**
 * What the argument text of a call says beyond its parsed value: large integers, number spellings, repeated keys, text
 * that is no JSON. White space and string escapes say nothing. Undefined where the value says it all.
 */
export const remainingText = (inputText: string, toolInput: JsonValue): string | undefined => {
  if (inputText === toolInput) return undefined
  const compact = (inputText.match(token) ?? []).map(compactToken).join('')
  return compact === JSON.stringify(toolInput) ? undefined : compact
}
