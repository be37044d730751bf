import { SecretFoundError } from './error.ts'
import { formatWhere } from './json-path.ts'
import { realCredentials } from './secret-patterns.ts'
import { type JsonText, walkJson } from './walk-json.ts'

export interface SecretPlace {
  /** `step 3 payload.result.token`; a name that is itself a secret is masked. */
  where: string
  /** What was found: `sk-ant`, `sk-proj`, `sk-`, `bearer-token`, or `literal` for one of the given values. */
  kind: string
}

export interface SecretOptions {
  /** Values that must not appear, as they are, URL-encoded or in base64. Shorter than 8 characters: ignored. */
  literals?: readonly string[]
}

/** The credentials in a value: a whole trace, one payload, a text. Each place once. */
export function findSecrets(value: unknown, { literals = [] }: SecretOptions = {}): SecretPlace[] {
  const forms = literalForms(literals)
  const found: SecretPlace[] = []
  const seen = new WeakSet<object>()
  walkJson(
    value,
    ({ text, path }: JsonText) => {
      for (const kind of kindsIn(text, forms)) found.push({ where: maskSecrets(formatWhere(path), literals), kind })
    },
    (object) => {
      if (seen.has(object)) return false
      seen.add(object)
      return true
    },
  )
  return found
}

/** The text with `[redacted]` for every literal and every real credential. */
export function maskSecrets(text: string, literals: readonly string[] = []): string {
  let masked = text
  for (const form of literalForms(literals)) masked = masked.replaceAll(form, redacted)
  for (const { pattern } of realCredentials) masked = masked.replace(pattern, redacted)
  return masked
}

/** @throws SecretFoundError for the first credential in the value; names place and kind, never the value */
export function refuseSecrets(value: unknown, options: SecretOptions = {}): void {
  const [first] = findSecrets(value, options)
  if (first === undefined) return
  const { where, kind } = first
  throw new SecretFoundError(
    `the recording was not written: it contains ${kind === 'literal' ? 'the value of a key' : `what looks like a key (${kind})`}\n  ${where || 'in its text'}`,
    { where, kind },
  )
}

const redacted = '[redacted]'
const shortestLiteral = 8

function kindsIn(text: string, forms: readonly string[]): string[] {
  const kinds = realCredentials.filter(({ pattern }) => text.search(pattern) !== -1).map(({ kind }) => kind)
  return forms.some((form) => text.includes(form)) ? ['literal', ...kinds] : kinds
}

/** Longest first, so that no form leaves a rest of a longer one behind. */
function literalForms(literals: readonly string[]): string[] {
  const values = literals.map((literal) => literal.trim()).filter((literal) => literal.length >= shortestLiteral)
  const forms = values.flatMap((value) => [value, encodeURIComponent(value), ...base64Forms(value)])
  return [...new Set(forms)].sort((a, b) => b.length - a.length)
}

/** How the value looks inside base64 of a longer text: without the characters that its neighbours take part in. */
function base64Forms(value: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
    const whole = bytes.toString('base64url')
    const inner = whole.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6))
    return inner.length < shortestLiteral ? [] : [inner, inner.replaceAll('-', '+').replaceAll('_', '/')]
  })
}
