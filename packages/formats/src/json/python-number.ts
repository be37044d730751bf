import type { NumberToken } from './tokens.ts'

/**
 * A number as Python's json module prints what it has read: an integer digit for digit, everything with a point or an
 * exponent as `repr` of the float: shortest digits, an exponent below 1e-4 and from 1e16 on, with two digits at least.
 */
export function formatPythonNumber(token: NumberToken): string {
  if (token.isInteger) return token.text === '-0' ? '0' : token.text
  const { value } = token
  if (Number.isNaN(value)) return 'NaN'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  if (!Number.isFinite(value)) return `${sign}Infinity`
  const [mantissa = '', exponentText = ''] = Math.abs(value).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const exponent = Number(exponentText)
  return sign + (exponent < -4 || exponent >= 16 ? scientific(digits, exponent) : positional(digits, exponent))
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${size}`
}

function positional(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${whole}.${digits.slice(exponent + 1) || '0'}`
}
