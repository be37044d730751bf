/** A shape that credentials have. `pattern` is global; `kind` is what messages call it. */
export interface SecretPattern {
  kind: string
  pattern: RegExp
}

/**
 * Credentials as they are issued: long enough that ordinary text does not match. A key is a token of its own, so a
 * longer run of base64 that happens to hold `sk-` is none.
 */
export const realCredentials: readonly SecretPattern[] = [
  { kind: 'sk-ant', pattern: /(?<![\w-])sk-ant-[\w-]{20,256}(?![\w-])/g },
  { kind: 'sk-proj', pattern: /(?<![\w-])sk-proj-[\w-]{20,256}(?![\w-])/g },
  { kind: 'sk-', pattern: /(?<![\w-])sk-(?!ant-|proj-)[\w-]{32,256}(?![\w-])/g },
  { kind: 'bearer-token', pattern: /\bBearer\s+[A-Za-z0-9._~+/=-]{16,}/g },
]

/** Shapes that have no business in ids, types, names and metadata, even when short. */
export const credentialTraces: readonly SecretPattern[] = [
  { kind: 'sk-ant', pattern: /sk-ant-?[\w-]*/g },
  { kind: 'sk-proj', pattern: /sk-proj-[\w-]*/g },
  { kind: 'sk-', pattern: /\bsk-(?!ant|proj-)[\w-]{20,}/g },
  { kind: 'bearer-token', pattern: /\bBearer\s+[A-Za-z0-9._~+/=-]{16,}/g },
]
