import type { CassetteFile, CassetteFormat, CassetteTest, StepExtras } from './cassette-file.ts'
import { CassetteCorruptError, UnsupportedError } from './error.ts'
import { checkJson } from './json/check-json.ts'
import { Fault } from './json/fault.ts'
import { defaultLimits, type ReadLimits } from './json/read-json.ts'
import type { Trace } from './trace.ts'
import { createSizeMeter, messageCost } from './v3/expanded-size.ts'
import { printV3 } from './v3/layout.ts'
import { toV3 } from './v3/to-v3.ts'
import { hasMessages } from './v3/write-input.ts'
import { checkHashChain } from './verify/hash-chain.ts'
import { checkSchemaVersion } from './verify/schema-version.ts'

export interface FormatOptions extends ReadLimits {
  /** [v2] */
  format?: CassetteFormat
  /** v3 only. */
  test?: CassetteTest
  /** v3 only. */
  extras?: StepExtras[]
}

/**
 * The text of a cassette file. v2 is the trace as it stands, indented by two, without a final newline; `test` and
 * `extras` have no place in it.
 * @throws CassetteCorruptError for a trace with a broken hash chain, which v3 could not give back
 * @throws UnsupportedError for what v3 has no place for, or what its reader would refuse for its size
 */
export function formatTrace(trace: Trace, { format = 'v2', test, extras = [], ...limits }: FormatOptions = {}): string {
  return formatCassette({ trace, format, ...(test === undefined ? {} : { test }), extras }, limits)
}

/** The text of a cassette file in its own format, as `formatTrace`. */
export function formatCassette(file: CassetteFile, limits: ReadLimits = {}): string {
  const { maxBytes, maxExpanded, maxDepth } = { ...defaultLimits, ...limits }
  if (file.format === 'v2') return fitting(JSON.stringify(file.trace, null, 2), maxBytes)
  refuseBroken(file.trace)
  if (expandedSize(file.trace) > maxExpanded) refuse(`it is larger than ${maxExpanded} characters when expanded`)
  const text = fitting(printV3(toV3(file)), maxBytes)
  try {
    checkJson(text, maxDepth)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    refuse(error.message)
  }
  return text
}

/** v3 leaves out what it can derive, so what is derived must be what stands there. */
function refuseBroken(trace: Trace): void {
  for (const check of [checkSchemaVersion, checkHashChain]) {
    const verdict = check(trace)
    if (verdict.pass) continue
    const { detail, where } = verdict
    throw new CassetteCorruptError(`the trace cannot be written as v3: ${detail}\n  ${where ?? 'the whole trace'}`, {
      where,
    })
  }
}

function fitting(text: string, maxBytes: number): string {
  if (text.length > maxBytes || (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes)) {
    refuse(`it is larger than ${maxBytes} bytes`)
  }
  return text
}

function expandedSize({ steps }: Trace): number {
  const sizeOf = createSizeMeter()
  let size = 0
  for (const { payload } of steps) {
    if (!hasMessages(payload)) size += sizeOf(payload)
    else {
      const { messages, ...members } = payload
      for (const message of messages) size += sizeOf(message) + messageCost
      for (const member of Object.values(members)) size += sizeOf(member)
    }
  }
  return size
}

function refuse(reason: string): never {
  throw new UnsupportedError(`the cassette cannot be written, since it could not be read again: ${reason}`, {
    name: 'size of the cassette',
  })
}
