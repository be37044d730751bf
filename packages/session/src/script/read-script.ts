import type { Turn } from '@retake/providers'
import { ConfigError, isJsonObject, type ReplyPart, type Stop, toStoredJson } from '@retake/trace'

/** A scripted reply before it is given: its calls have no ids yet. */
export type ScriptedTurn = Pick<Turn, 'parts' | 'stop'>

const stops: readonly Stop[] = ['end', 'tools', 'length', 'filter', 'refusal', 'sequence', 'pause', 'context']

/**
 * Reads replies written by hand.
 * @param option what they were given as, for messages: `script`, the name of a file
 * @throws ConfigError naming the place of what is none
 */
export function readScript(script: unknown, option: string): ScriptedTurn[] {
  if (!Array.isArray(script)) throw wrong(option, 'must be a list of replies', option)
  return script.map((reply: unknown, n) => readReply(reply, `${option}[${n}]`, option))
}

function readReply(reply: unknown, where: string, option: string): ScriptedTurn {
  if (typeof reply === 'string') return toTurn(reply, [], undefined)
  const fail = (what: string, member = ''): never => {
    throw wrong(`${where}${member}`, what, option)
  }
  if (typeof reply !== 'object' || reply === null) return fail(isNone)
  const { type, text, calls, stop, ...rest } = reply as Record<string, unknown>
  if (type === undefined && 'toolName' in rest) return toTurn(undefined, [readCall(reply, where, option)], undefined)
  if (type !== 'final_answer' && type !== 'tool_calls') return fail(isNone)
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) return fail('is no member of a reply', `.${unknown}`)
  if (stop !== undefined && !stops.some((known) => known === stop)) return fail(`must be ${oneOf(stops)}`, '.stop')
  const isText = typeof text === 'string'
  if (type === 'final_answer') {
    if (calls !== undefined) return fail('belongs to type tool_calls', '.calls')
    return isText ? toTurn(text, [], stop as Stop) : fail('must be a text', '.text')
  }
  if (text !== undefined && !isText) return fail('must be a text', '.text')
  if (!Array.isArray(calls) || calls.length === 0) return fail('must be a list of at least one call', '.calls')
  const read = calls.map((call: unknown, n) => readCall(call, `${where}.calls[${n}]`, option))
  return toTurn(text, read, stop as Stop | undefined)
}

const isNone =
  "must be a text, a call { toolName, toolInput }, { type: 'final_answer', text } or { type: 'tool_calls', calls }"

function readCall(call: unknown, where: string, option: string): ReplyPart {
  // An id would be the recording's; the reply gets one of its own.
  const { toolName, toolInput = {}, toolCallId: _, ...rest } = isJsonObject(call) ? call : {}
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw wrong(`${where}.${unknown}`, 'is no member of a call', option)
  if (typeof toolName !== 'string' || toolName === '')
    throw wrong(`${where}.toolName`, 'must be the name of a tool', option)
  return { type: 'tool_use', toolCallId: '', toolName, toolInput: toStoredJson(toolInput, `${where}.toolInput`) }
}

function toTurn(text: string | undefined, calls: ReplyPart[], stop: Stop | undefined): ScriptedTurn {
  const said: ReplyPart[] = text === undefined ? [] : [{ type: 'text', text }]
  return { parts: [...said, ...calls], stop: stop ?? (calls.length > 0 ? 'tools' : 'end') }
}

const oneOf = (values: readonly string[]): string => values.join(', ')

const wrong = (where: string, what: string, option: string): ConfigError =>
  new ConfigError(`${where} ${what}`, { option, where })
