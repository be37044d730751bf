/** A value that must not be stored; `name` is what messages call its source: `OPENAI_API_KEY`. */
export type SecretLiteral = string | { name: string; value: string }

/** Looks for given values in texts, in the forms in which they travel. */
export interface LiteralFinder {
  /** What messages call the values that a text holds; empty for none. */
  find(text: string): string[]
  /** The text with `replacement` for every value. */
  mask(text: string, replacement: string): string
}

const shortest = 8

/** Shorter values are ignored: they would be found by chance. */
export function createLiteralFinder(literals: readonly SecretLiteral[]): LiteralFinder {
  const known = new Map<string, string>()
  for (const literal of literals) {
    const { name, value } = typeof literal === 'string' ? { name: '', value: literal } : literal
    const trimmed = value.trim()
    if (trimmed.length >= shortest && !known.has(trimmed)) known.set(trimmed, name)
  }
  // Longest first, so that masking one leaves no rest of a longer one behind.
  const values = [...known]
    .sort(([a], [b]) => b.length - a.length)
    .map(([value, name]) => ({
      kind: name === '' ? 'literal' : `value of ${name}`,
      forms: formsOf(value).sort((a, b) => b.length - a.length),
      encoded: percentEncoded(value),
    }))
  return {
    find(text) {
      if (values.length === 0) return []
      const texts = wrappedBase64.test(text) ? [text, text.replace(/\s+/g, '')] : [text]
      const isEncoded = hasPercent.test(text)
      return values
        .filter(
          ({ forms, encoded }) =>
            forms.some((form) => texts.some((candidate) => candidate.includes(form))) ||
            (isEncoded && text.search(encoded) !== -1),
        )
        .map(({ kind }) => kind)
    },
    mask(text, replacement) {
      let masked = text
      for (const { forms, encoded } of values) {
        for (const form of forms) masked = masked.replaceAll(form, () => replacement)
        if (hasPercent.test(masked)) masked = masked.replace(encoded, () => replacement)
      }
      return masked
    },
  }
}

const hasPercent = /%[0-9a-f]{2}/i
/** Base64 as mail and command-line tools print it: cut into lines. */
const wrappedBase64 = /[\w+/-]{60}\r?\n[\w+/-]/

/** As it is, inside JSON text, inside JSON text of JSON text, and in base64. */
function formsOf(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1)
  const inJsonTwice = JSON.stringify(inJson).slice(1, -1)
  return [...new Set([value, inJson, inJsonTwice, ...base64Forms(value)])]
}

/** How the value looks inside base64 of a longer text: without the characters that its neighbours take part in. */
function base64Forms(value: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)])
    const whole = bytes.toString('base64url')
    const inner = whole.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6))
    return [inner, inner.replaceAll('-', '+').replaceAll('_', '/')]
  })
}

/** The value where any of its characters may be percent-encoded, and a space also `+`. */
function percentEncoded(value: string): RegExp {
  const source = Array.from(value, (character) => {
    const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'))
    const encoded = bytes.map((byte) => `%${byte.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`)
    const own = character === ' ' ? '[ +]' : character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
    return `(?:${own}|${encoded.join('')})`
  })
  return new RegExp(source.join(''), 'g')
}
