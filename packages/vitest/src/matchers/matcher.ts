import type { Trace } from '@retake/trace'
import { report } from '../load-report.ts'

/** What a matcher says, as a runner wants it. */
export interface Verdict {
  pass: boolean
  message: () => string
  actual?: unknown
  expected?: unknown
}

/** What the runner's `expect` brings: equality that knows its asymmetric matchers. */
export interface MatcherContext {
  equals: (a: unknown, b: unknown) => boolean
  isNot?: boolean
}

/** A text that must be exactly this, or match. Asymmetric matchers may stand in its place. */
export const fitsText = ({ equals }: MatcherContext, text: string | undefined, wanted: unknown): boolean =>
  wanted instanceof RegExp ? text !== undefined && text.search(wanted) >= 0 : equals(text, wanted)

export const print = (value: unknown): string =>
  value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? String(value))

export const list = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : 'none')

export const not = ({ isNot }: MatcherContext): string => (isNot ? 'not ' : '')

/** Without colours: messages also end up in reports for programs. */
export const renderRun = (trace: Trace): string => {
  if (trace.steps.length === 0) return '  nothing happened in this run'
  const { createStyle, renderConversation } = report()
  return indent(renderConversation(trace, { style: createStyle(), most: mostLines }))
}

export const mostLines = 25

export const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')
