/**
 * JSON as it was written: numbers keep their text, objects the order of their members. Python tells 1 from 1.0, counts
 * integers exactly and keeps members like "2" where they stood; a JavaScript value can do none of that.
 */
export type TokenJson = null | boolean | string | NumberToken | TokenJson[] | TokenObject

export type TokenObject = Map<string, TokenJson>

/** One number of a JSON text: `1.0`, `9007199254740993`, and what Python also writes: `NaN`, `-Infinity`. */
export class NumberToken {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The nearest number that JavaScript has. */
  get value(): number {
    return Number(this.text)
  }

  /** True for an integer of Python: neither a point nor an exponent. */
  get isInteger(): boolean {
    return /^-?\d+$/.test(this.text)
  }
}

export const isTokenObject = (value: TokenJson | undefined): value is TokenObject => value instanceof Map
