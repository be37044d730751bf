import type { Trace } from '@retake/trace'
import type { Renderers } from './renderers.ts'

/** Whether an expectation holds, and what to say where it does not. */
export interface Judgement {
  pass: boolean
  /** The renderers are only asked for when something is printed. */
  message: (renderers: Renderers) => string
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
  isPattern(wanted) ? text !== undefined && text.search(wanted) >= 0 : equals(text, wanted)

/** Also of another realm: Jest runs test files in globals of their own. */
export const isPattern = (value: unknown): value is RegExp =>
  Object.prototype.toString.call(value) === '[object RegExp]'

export const print = (value: unknown): string =>
  isPattern(value) ? String(value) : (JSON.stringify(value) ?? String(value))

export const list = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : 'none')

export const not = ({ isNot }: MatcherContext): string => (isNot ? 'not ' : '')

/** Without colours: messages also end up in reports for programs. */
export const renderRun = (trace: Trace, { createStyle, renderConversation }: Renderers): string =>
  trace.steps.length === 0
    ? '  nothing happened in this run'
    : indent(renderConversation(trace, { style: createStyle(), most: mostLines }))

export const mostLines = 25

export const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')
