import { sha256 } from '@retake/trace'
import { printPython } from '../json/print-python.ts'
import type { TokenJson } from '../json/tokens.ts'

/**
 * The text that payload hashes are made from (profile `stepfork-json-v0.1`): Python's compact JSON with keys by code
 * point and finite numbers only. 1 and 1.0 are two values.
 * @throws UnsupportedError for a non-finite number or half of a surrogate pair
 */
export const canonicalStepfork = (value: TokenJson): string =>
  printPython(value, { compact: true, sortKeys: true, nonFinite: false })

/** All 64 hex digits of its SHA-256. */
export const stepforkHash = (value: TokenJson): string => sha256(canonicalStepfork(value))
