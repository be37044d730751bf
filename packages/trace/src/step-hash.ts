import * as crypto from 'node:crypto'
import { canonicalJson } from './json/canonical-json.ts'
import type { TraceStep } from './trace.ts'

/** The members of a step that its hash covers. */
export type HashedStep = Pick<TraceStep, 'index' | 'type' | 'timestamp' | 'payload' | 'prevHash'>

/** Lower-case hex SHA-256 of the UTF-8 bytes of a text. */
export const sha256 = (text: string): string =>
  // crypto.hash is absent below Node 20.12 and twice as fast on short texts.
  crypto.hash === undefined
    ? crypto.createHash('sha256').update(text).digest('hex')
    : crypto.hash('sha256', text, 'hex')

/** Hash of one step of a trace; `id` and `hash` are not covered. (Trace format, "Hash Input".) */
export const stepHash = ({ index, type, timestamp, payload, prevHash }: HashedStep): string =>
  sha256(canonicalJson({ index, type, timestamp, payload, prevHash }))
