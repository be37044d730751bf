import { formatWhere } from './json/json-path.ts'
import { walkJson } from './json/walk-json.ts'
import { credentialTraces, realCredentials, type SecretPattern } from './secrets/secret-patterns.ts'
import { maskSecrets, redacted } from './secrets/secrets.ts'
import type { Trace } from './trace.ts'

export interface NeutralityMarker {
  /** `step 3 payload.usage`; a member name is reported with the path of its owner. */
  where: string
  /** What was found: `usage`, `toolu_`, `sk-ant` …; never the value. */
  marker: string
}

/**
 * What no provider-neutral trace holds. By position: ids, types, names and metadata may carry no provider id, no member
 * of a provider's response and no trace of a key; the user's own data only no real credential. (Trace format, "What
 * verify checks for provider neutrality"; request fields retake does not know and schemas count as the user's data.)
 */
export function findNeutralityMarkers(trace: Trace): NeutralityMarker[] {
  const found: NeutralityMarker[] = []
  const seen = new WeakSet<object>()
  const report = (path: readonly (string | number)[], marker: string): void => {
    found.push({ where: maskSecrets(formatWhere(path)), marker })
  }
  walkJson(
    withoutChain(trace),
    ({ text, path, isKey }) => {
      if (isUserData(path)) {
        reportAll(realCredentials, text, path, report)
        return
      }
      if (isKey && providerMembers.has(text)) report(path, text)
      reportAll([...providerIds, ...credentialTraces], text, path, report)
      for (const name of keyVariables) if (!isKey && text.includes(name)) report(path, name)
    },
    (object, path) => {
      // A shared object can stand in both zones only if user code built it so; its first place decides the strictness.
      if (path.length > 3 && seen.has(object)) return false
      seen.add(object)
      return true
    },
  )
  return found
}

/**
 * A text for a place that is no user data, such as the message of an error: ids of providers become `<id>`, traces of
 * keys `[redacted]`, names of key variables `<key variable>`.
 */
export function maskMarkers(text: string): string {
  let masked = text.replace(wholeIds, '<id>')
  for (const { pattern } of providerIds) masked = masked.replace(pattern, '<id>')
  for (const { pattern } of credentialTraces) masked = masked.replace(pattern, redacted)
  for (const name of keyVariables) masked = masked.replaceAll(name, '<key variable>')
  return masked
}

const wholeIds = /\b(?:toolu_|msg_|call_|chatcmpl-|resp_|req_)(?=[\w-]*\d)[\w-]{6,}/g

/** The trace as far as it can hold markers: hashes cannot, and those of a v3 file are costly to read. */
export const withoutChain = (trace: Trace): unknown => ({
  ...trace,
  steps: trace.steps.map((step) => {
    const names = Object.keys(step).filter((name) => name !== 'hash' && name !== 'prevHash')
    return Object.fromEntries(names.map((name) => [name, step[name as keyof typeof step]]))
  }),
})

function reportAll(
  patterns: readonly SecretPattern[],
  text: string,
  path: readonly (string | number)[],
  report: (path: readonly (string | number)[], marker: string) => void,
): void {
  for (const { kind, pattern } of patterns) if (text.search(pattern) !== -1) report(path, kind)
}

/** True below a member whose content is the user's, and for the names inside it. */
function isUserData(path: readonly (string | number)[]): boolean {
  if (path[0] !== 'steps') return false
  // steps, index, payload, and the member of the payload the text belongs to.
  return path.slice(3).some((key, at) => userMembers.has(key as string) || (at === 1 && path[3] === 'params'))
}

const userMembers = new Set<string>([
  ...['toolInput', 'inputText', 'result', 'error', 'inputSchema', 'options', 'description'],
  ...['text', 'content', 'systemPrompt', 'stopText', 'ref'],
])

const keyVariables = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']

const providerMembers = new Set([
  ...['usage', 'stop_reason', 'stop_sequence', 'finish_reason', 'system_fingerprint'],
  ...keyVariables,
])

const providerIds: readonly SecretPattern[] = [
  { kind: 'toolu_', pattern: /\btoolu_[A-Za-z0-9]*\d/g },
  { kind: 'msg_', pattern: /\bmsg_[A-Za-z0-9]*\d/g },
  { kind: 'call_', pattern: /\bcall_[A-Za-z0-9]{20,}/g },
  { kind: 'chatcmpl-', pattern: /\bchatcmpl-[A-Za-z0-9]{8,}/g },
  { kind: 'resp_', pattern: /\bresp_[A-Za-z0-9]{16,}/g },
]
