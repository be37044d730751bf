import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { SecretLiteral } from '@retake/trace'
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
      for (const [name, value] of headers) for (const key of keysInHeader(name, value)) add(`the header ${name}`, key)
      for (const [name, key] of keysInUrl(url)) add(name, key)
    },
    literals() {
      readEnvironment()
      return [...names].map(([value, name]) => ({ name, value }))
    },
  }
}

const keyWord =
  /(?:^|[_\W])(?:(?:api|access|secret|private|auth)?key|keys|token|tokens|secret|secrets|password|passwd|passphrase|pass|pwd|credential|credentials|auth|authorization|pat|cookie|sig|signature)(?:[_\W]?(?:id|base|\d+))?$/i

/** `OPENAI_API_KEY`, `npm_config__authToken`, `x-goog-api-key`, `DB_PASSWORD_2`; not the working directory. */
const isKeyLike = (name: string): boolean =>
  !/^(?:OLD)?PWD$/.test(name) && keyWord.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2'))

/** `DB_PASSWORD=postgres`, `apiKey: 'not-needed'`: such a value stands in many prompts and opens nothing. */
const isOrdinaryWord = (value: string): boolean => value.length < 16 && /^[a-z]*(?:[-_ ][a-z]+)*$/i.test(value)

/** `GOOGLE_APPLICATION_CREDENTIALS` says where the key is. */
const isPath = (value: string): boolean => isAbsolute(value.trim()) && existsSync(value.trim())

/** With and without its scheme; of basic authentication also what is in the base64. */
function keysInHeader(name: string, value: string): string[] {
  if (!isKeyLike(name)) return []
  if (/cookie$/i.test(name)) return value.split(';').map((pair) => pair.replace(/^[^=]*=/, ''))
  const [, scheme, rest] = /^(\w[\w-]*)\s+(.+)$/s.exec(value.trim()) ?? []
  if (scheme === undefined || rest === undefined) return [value]
  if (scheme.toLowerCase() !== 'basic') return [rest]
  const pair = Buffer.from(rest, 'base64').toString()
  return [rest, pair, pair.slice(pair.indexOf(':') + 1)]
}

function keysInUrl(url: string): [name: string, key: string][] {
  if (!URL.canParse(url)) return []
  const { searchParams, password } = new URL(url)
  const keys = [...searchParams].filter(([name]) => isKeyLike(name))
  return [...keys.map(([name, key]): [string, string] => [`the query parameter ${name}`, key]), ['the URL', password]]
}
