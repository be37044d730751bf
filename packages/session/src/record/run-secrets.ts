import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { isKeyLike, isOrdinaryWord, keysOfRequest, type SecretLiteral } from '@retake/trace'
import { placeholderKey } from '../api-keys.ts'
import type { ModelRequest } from '../seam/shared.ts'

/** The values that may not reach the cassette of a run: those of key-like variables, and the keys its requests carry. */
export interface RunSecrets {
  see(request: Pick<ModelRequest, 'url' | 'headers'>): void
  literals(): SecretLiteral[]
}

export function createRunSecrets(env: NodeJS.ProcessEnv = process.env): RunSecrets {
  const names = new Map<string, string>()
  const add = (name: string, value: string) => {
    const trimmed = value.trim()
    if (trimmed === placeholderKey || isOrdinaryWord(trimmed) || names.has(trimmed)) return
    names.set(trimmed, name)
  }
  // Again and again: a test may set a key for a moment only.
  const readEnvironment = () => {
    for (const [name, value] of Object.entries(env)) {
      if (value && isKeyLike(name) && !isPath(value)) add(name, value)
    }
  }
  readEnvironment()
  return {
    see({ url, headers }) {
      readEnvironment()
      for (const { name, value } of keysOfRequest(url, headers)) add(name, value)
    },
    literals() {
      readEnvironment()
      return [...names].map(([value, name]) => ({ name, value }))
    },
  }
}

/** `GOOGLE_APPLICATION_CREDENTIALS` says where the key is. */
const isPath = (value: string): boolean => isAbsolute(value.trim()) && existsSync(value.trim())
