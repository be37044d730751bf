import { escapeInvisible } from '@retake/compare'

/** A document for machines that is safe to look at in a terminal: what is invisible in its strings is escaped. */
export const formatDocument = (value: unknown): string =>
  JSON.stringify(value, null, 2).split('\n').map(escapeInvisible).join('\n')
