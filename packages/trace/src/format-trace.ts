import type { Trace } from './trace.ts'

/** The text of a v2 cassette file: indented by two, without a final newline. */
export const formatTrace = (trace: Trace, _options: { format: 'v2' } = { format: 'v2' }): string =>
  JSON.stringify(trace, null, 2)
