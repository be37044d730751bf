import { SecretFoundError } from '@retake/trace'
import { byCodePoint } from '../json/code-point-order.ts'
import type { TokenJson, TokenObject } from '../json/tokens.ts'

/** One place that was redacted: never what stood there. */
export interface RedactionFinding {
  /** JSON pointer from the root of the event or the manifest. */
  path: string
  reason: 'sensitive_key' | 'credential_pattern'
}

export const replacement = '[REDACTED]'

const sensitiveKeys = new Set([
  'apikey',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'authorization',
  'password',
  'passwd',
  'secret',
  'clientsecret',
  'privatekey',
  'sessiontoken',
  'bearertoken',
])

// A word character of Python is any letter or digit.
const before = '(?<![\\p{L}\\p{N}_])'
const after = '(?![\\p{L}\\p{N}_])'
const credentials: readonly RegExp[] = [
  /(?<kept>Authorization:\s*Bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi,
  /(?<kept>Bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi,
  ...['sk-[A-Za-z0-9_-]{8,}', 'ghp_\\w{8,}', 'gho_\\w{8,}', 'github_pat_\\w{8,}'].map(
    (form) => new RegExp(`${before}(?<kept>)${form}${after}`, 'gu'),
  ),
]

/** A payload with sensitive members and credentials replaced, and where. Keys come out sorted. */
export function redactPayload(value: TokenJson): { value: TokenJson; findings: RedactionFinding[] } {
  const findings: RedactionFinding[] = []
  return { value: redactValue(value, '', findings), findings }
}

/**
 * As `redactPayload`, for an event or a manifest, whose own members keep their order.
 * @param kept names of structural members, which are never changed
 * @throws SecretFoundError for a credential in one of those
 */
export function redactMembers(object: TokenObject, kept: ReadonlySet<string>) {
  const findings: RedactionFinding[] = []
  const redacted = new Map(sorted(object).map((entry) => [entry[0], redactMember(entry, '', findings, kept)]))
  const value: TokenObject = new Map([...object.keys()].map((key) => [key, redacted.get(key) ?? null]))
  return { value, findings }
}

function redactValue(value: TokenJson, path: string, findings: RedactionFinding[]): TokenJson {
  if (typeof value === 'string') return redactText(value, path, findings)
  if (Array.isArray(value)) return value.map((item, at) => redactValue(item, `${path}/${at}`, findings))
  if (!(value instanceof Map)) return value
  return new Map(sorted(value).map((entry) => [entry[0], redactMember(entry, path, findings)]))
}

function redactMember(
  [key, value]: readonly [string, TokenJson],
  path: string,
  findings: RedactionFinding[],
  kept?: ReadonlySet<string>,
): TokenJson {
  const here = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  if (kept?.has(key)) return refuseCredential(value, here)
  if (!sensitiveKeys.has(key.toLowerCase().replace(/[^a-z0-9]/g, ''))) return redactValue(value, here, findings)
  if (value !== replacement) findings.push({ path: here, reason: 'sensitive_key' })
  return replacement
}

function redactText(text: string, path: string, findings: RedactionFinding[]): string {
  const masked = maskCredentials(text)
  if (masked !== text) findings.push({ path, reason: 'credential_pattern' })
  return masked
}

const maskCredentials = (text: string): string =>
  credentials.reduce((masked, pattern) => masked.replace(pattern, `$<kept>${replacement}`), text)

function refuseCredential(value: TokenJson, where: string): TokenJson {
  if (typeof value !== 'string' || maskCredentials(value) === value) return value
  throw new SecretFoundError(`the bundle was not written: a structural member holds a credential\n  ${where}`, {
    where,
    kind: 'credential_pattern',
  })
}

const sorted = (object: TokenObject): [string, TokenJson][] => [...object].sort(([a], [b]) => byCodePoint(a, b))
