import type { Utterance } from '@retake/compare'
import type { JsonObject } from '@retake/trace'
import { formatCall, formatPart, formatResult } from '../terminal/message-rows.ts'

/** An utterance as a line of a conversation. */
export interface UtteranceRow {
  role: string
  /** May have several lines. */
  text: string
}

/** Who says it, and what: `assistant`, `→ refund {"amount":20}`. */
export const toUtteranceRow = (utterance: Utterance): UtteranceRow => {
  switch (utterance.kind) {
    case 'setting':
      return { role: roleOf(utterance.name), text: utterance.value === null ? '(none)' : formatResult(utterance.value) }
    case 'sent':
      return { role: utterance.role, text: formatPart(utterance.part) }
    case 'said': {
      const { type, text, stop } = utterance
      return { role: 'assistant', text: (type === 'text' ? text : `(${type}) ${text}`) + formatStop(stop) }
    }
    case 'call': {
      const { call, byCode, stop } = utterance
      const text = formatCall(call.toolName, call.toolInput, call.inputText)
      return { role: byCode ? 'call' : 'assistant', text: text + formatStop(stop) }
    }
    case 'result':
      return { role: 'tool', text: utterance.isError ? `✗ ${utterance.value}` : formatResult(utterance.value) }
    case 'event':
      return toEventRow(utterance.payload)
  }
}

export const roleOf = (setting: string): string => (setting === 'systemPrompt' ? 'system' : setting)

const formatStop = (stop: string | undefined): string => (stop === undefined ? '' : ` (${stop})`)

const toEventRow = (payload: JsonObject): UtteranceRow => {
  const join = (...values: unknown[]): string => values.filter((value) => value !== undefined).join(': ')
  switch (payload.event) {
    case 'run_failed':
      return { role: 'error', text: join(`run failed, ${payload.reason}`, payload.message ?? payload.toolName) }
    case 'model_error':
      return { role: 'error', text: join(`${payload.status} ${payload.kind}`, payload.message) }
    default:
      return { role: 'event', text: String(payload.event) }
  }
}
