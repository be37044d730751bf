import { isDeepStrictEqual } from 'node:util'
import type { Said, SaidError, SaidPart } from './said.ts'

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

const joined = (said: Said, type: 'text' | 'refusal' | 'reasoning'): string[] =>
  said.parts.flatMap((part) => (part.type === type ? [part.text] : []))

type Call = Extract<SaidPart, { type: 'call' }>

const callsOf = (said: Said): Call[] => said.parts.filter((part): part is Call => part.type === 'call')

/** Ids and keys may stand masked in a recorded message; every mask stands for anything. */
const matchesMessage = (original: string | null, replayed: string | null): boolean => {
  if (original === replayed) return true
  if (original === null || replayed === null) return false
  const pieces = replayed.split(/<id>|\[redacted\]|\bcall-\d+\b/)
  if (pieces.length === 1) return false
  const pattern = pieces.map((piece) => piece.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('[^]*?')
  return new RegExp(`^${pattern}$`).test(original)
}

const compareErrors = (original: SaidError | null, replayed: SaidError | null): string[] => {
  if (original === null && replayed === null) return []
  if (original === null) return [`error: ${show(replayed?.message)} appeared`]
  if (replayed === null) return [`error: ${show(original.message)} is gone`]
  const changed = (name: 'type' | 'code') =>
    original[name] !== null && original[name] !== replayed[name]
      ? [`error ${name}: ${show(original[name])} became ${show(replayed[name])}`]
      : []
  // A body without a message says nothing that a replay could miss.
  const message =
    original.message === null || matchesMessage(original.message, replayed.message)
      ? []
      : [`error message: ${show(original.message)} became ${show(replayed.message)}`]
  return [...message, ...changed('type'), ...changed('code')]
}

const compareCalls = (original: Call[], replayed: Call[]): string[] => {
  const names = (calls: Call[]) => calls.map(({ name }) => name)
  if (!isDeepStrictEqual(names(original), names(replayed)))
    return [`calls: ${show(names(original))} became ${show(names(replayed))}`]
  const ids = replayed.map(({ id }) => id)
  return [
    ...original.flatMap((call, i) => {
      const other = replayed[i]
      if (!isDeepStrictEqual(call.value, other?.value) || call.text !== other?.text || call.custom !== other.custom)
        return [`arguments of ${call.name}: ${show(call.text)} became ${show(other?.text)}`]
      return []
    }),
    ...(ids.includes('') || new Set(ids).size < ids.length ? [`call ids: ${show(ids)}`] : []),
  ]
}

/** What the replay says differently, one line each; empty if it says the same. Ids and time do not count. */
export const compareSaid = (original: Said, replayed: Said): string[] => {
  const field = (name: string, before: unknown, after: unknown) =>
    isDeepStrictEqual(before, after) ? [] : [`${name}: ${show(before)} became ${show(after)}`]
  const order = (said: Said) => said.parts.map((part) => (part.type === 'other' ? part.kind : part.type))
  const lines = [
    ...field('status', original.status, replayed.status),
    ...field('body', original.body, replayed.body),
    ...compareErrors(original.error, replayed.error),
    ...field('text', joined(original, 'text'), joined(replayed, 'text')),
    ...field('refusal', joined(original, 'refusal'), joined(replayed, 'refusal')),
    ...field('reasoning', joined(original, 'reasoning'), joined(replayed, 'reasoning')),
    ...compareCalls(callsOf(original), callsOf(replayed)),
    ...field('stop', original.stop, replayed.stop),
    ...field('stop sequence', original.stopText, replayed.stopText),
    ...field('complete', original.complete, replayed.complete),
    // A recording may be shortened by hand; a replay may not contradict itself.
    ...(replayed.contradictions ?? []),
    ...original.carries.filter((name) => !replayed.carries.includes(name)).map((name) => `${name}: gone`),
  ]
  return lines.length > 0 ? lines : field('order', order(original), order(replayed))
}
