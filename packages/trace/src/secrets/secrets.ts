import { SecretFoundError } from '../error.ts'
import { formatWhere, type JsonPath } from '../json/json-path.ts'
import { walkJson } from '../json/walk-json.ts'
import { createLiteralFinder, type SecretLiteral } from './secret-literals.ts'
import { realCredentials } from './secret-patterns.ts'

export interface SecretPlace {
  /** `step 3 payload.result.token`; a name that is itself a secret is masked. */
  where: string
  /**
   * What was found: `sk-ant`, `sk-proj`, `sk-`, `bearer-token`, the name of a published key form (`github token`),
   * `value of OPENAI_API_KEY` for a named literal, or `literal`.
   */
  kind: string
}

export interface SecretOptions {
  /**
   * Values that must not appear: as they are, URL-encoded, in base64 or in JSON text. Shorter than 8 characters:
   * ignored.
   */
  literals?: readonly SecretLiteral[]
}

/** One text of a value: a string, or a member name (then the path is that of its owner). */
export interface ScannedText {
  text: string
  path: JsonPath
  isKey: boolean
}

/** Every text of a value; objects that stand in several places once, at the first. */
export function scannedTexts(value: unknown): ScannedText[] {
  const texts: ScannedText[] = []
  const seen = new WeakSet<object>()
  walkJson(
    value,
    ({ text, path, isKey }) => texts.push({ text, path: [...path], isKey }),
    (object) => {
      if (seen.has(object)) return false
      seen.add(object)
      return true
    },
  )
  return texts
}

/** What each of the texts holds; texts without a secret are left out. */
export function secretsIn(texts: readonly ScannedText[], { literals = [] }: SecretOptions = {}): Map<string, string[]> {
  const { find } = createLiteralFinder(literals)
  const kinds = new Map<string, string[]>()
  const clean = new Set<string>()
  for (const { text } of texts) {
    // Requests repeat their prompt.
    if (clean.has(text) || kinds.has(text)) continue
    const found = [...find(text), ...realCredentials.filter(({ pattern }) => text.search(pattern) !== -1).map(kindOf)]
    if (found.length > 0) kinds.set(text, found)
    else clean.add(text)
  }
  return kinds
}

const kindOf = ({ kind }: { kind: string }): string => kind

/** Places of the texts that hold a secret. */
export function secretPlaces(
  texts: readonly ScannedText[],
  kinds: ReadonlyMap<string, readonly string[]>,
  { literals = [] }: SecretOptions = {},
): SecretPlace[] {
  const finder = createLiteralFinder(literals)
  const nameOf = (key: string | number) => (typeof key === 'string' && kinds.has(key) ? redacted : key)
  return texts.flatMap(({ text, path }) =>
    (kinds.get(text) ?? []).map((kind) => ({ where: mask(formatWhere(path.map(nameOf)), finder), kind })),
  )
}

/** The credentials in a value: a whole trace, one payload, a text. Each place once. */
export function findSecrets(value: unknown, options: SecretOptions = {}): SecretPlace[] {
  const texts = scannedTexts(value)
  return secretPlaces(texts, secretsIn(texts, options), options)
}

/** The text with `[redacted]` for every literal and every real credential. */
export const maskSecrets = (text: string, literals: readonly SecretLiteral[] = []): string =>
  mask(text, createLiteralFinder(literals))

function mask(text: string, finder: ReturnType<typeof createLiteralFinder>): string {
  let masked = finder.mask(text, redacted)
  for (const { pattern } of realCredentials) masked = masked.replace(pattern, redacted)
  return masked
}

/** @throws SecretFoundError for the credentials in the value; names places and kinds, never a value */
export const refuseSecrets = (value: unknown, options: SecretOptions = {}): void =>
  refusePlaces(findSecrets(value, options))

/** @throws SecretFoundError unless there is no place */
export function refusePlaces(places: readonly SecretPlace[], remedy?: string): void {
  const [first, ...others] = places
  if (first === undefined) return
  const lines = [
    `the recording was not written: it contains ${describe(first.kind)}`,
    `  ${first.where || 'in its text'}`,
    ...others.slice(0, 4).map(({ where, kind }) => `  ${where}: ${describe(kind)}`),
    ...(others.length > 4 ? [`  and ${others.length - 4} more places`] : []),
    ...(remedy === undefined ? [] : [`  ${remedy}`]),
  ]
  throw new SecretFoundError(lines.join('\n'), { ...first, places })
}

function describe(kind: string): string {
  if (kind === 'literal') return 'the value of a key'
  return kind.startsWith('value of ') ? `the ${kind}` : `what looks like a key (${kind})`
}

export const redacted = '[redacted]'
