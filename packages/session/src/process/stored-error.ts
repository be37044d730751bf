import { isRetakeError } from '@retake/trace'

/** An error as another process is told of it. */
export interface StoredError {
  name: string
  code?: string
  message: string
  details?: Readonly<Record<string, unknown>>
}

export function toStoredError(error: unknown): StoredError {
  if (isRetakeError(error)) {
    const { name, code, message, details } = error
    return { name, code, message, details }
  }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}
