import { detectFormat, openSource, type RunFormat, type RunSource } from '@retake/formats'
import { isRetakeError } from '@retake/trace'

/** A file or folder of another tool, with the format that recognizes it. */
export interface ForeignFile {
  format: RunFormat
  source: RunSource
}

/**
 * The file or folder at a path, where it is of another tool. Undefined for cassettes of retake and for everything that
 * nobody recognizes or that cannot be read: those are judged as cassettes.
 */
export const openForeign = (path: string): ForeignFile | undefined => {
  try {
    const source = openSource(path)
    const format = detectFormat(source)
    return format && format.name !== 'retake' ? { format, source } : undefined
  } catch (error) {
    if (isRetakeError(error)) return undefined
    throw error
  }
}
