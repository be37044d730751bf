import * as v from 'valibot'
import { isJsonObject, type JsonValue } from '../json/json.ts'
import { formatWhere } from '../json/json-path.ts'
import type { Check, Verdict } from './check.ts'
import { message, payloads } from './payload-schemas.ts'

/** Every payload has one of the shapes of the format. */
export const checkPayloadShape: Check = ({ steps }) => {
  const seen = new WeakSet<object>()
  for (const [index, { type, payload }] of steps.entries()) {
    const path = ['steps', index, 'payload']
    const wrong = type === 'model_input' ? inputIssue(payload, seen) : firstIssue(payloads[type], payload)
    if (wrong !== undefined) return misshapen([...path, ...wrong], type)
  }
  return { pass: true, detail: `${steps.length} payload(s) as specified` }
}

type Path = (string | number)[]

/** Messages that an earlier request held are not looked at again. */
function inputIssue(payload: JsonValue, seen: WeakSet<object>): Path | undefined {
  if (!isJsonObject(payload) || !Array.isArray(payload.messages)) return firstIssue(payloads.model_input, payload)
  for (const [at, item] of payload.messages.entries()) {
    if (isJsonObject(item) && seen.has(item)) continue
    const issue = firstIssue(message, item)
    if (issue !== undefined) return ['messages', at, ...issue]
    if (isJsonObject(item)) seen.add(item)
  }
  return firstIssue(payloads.model_input, { ...payload, messages: [] })
}

function firstIssue(schema: v.GenericSchema, value: unknown): Path | undefined {
  const { issues } = v.safeParse(schema, value, { abortEarly: true })
  return issues === undefined ? undefined : deepestPath(issues[0])
}

/** A union says only that nothing fitted; its own issues, with paths from there on, tell what came closest. */
function deepestPath(issue: v.BaseIssue<unknown>): Path {
  const own = (issue.path ?? []).map(({ key }) => key as string | number)
  const inner = (issue.issues ?? []).map(deepestPath)
  return [...own, ...inner.reduce((best, path) => (closeness(path) >= closeness(best) ? path : best), [])]
}

/** An alternative that fails at its discriminator is another shape altogether. */
const closeness = (path: Path): number => path.length * 2 - (path.at(-1) === 'type' || path.at(-1) === 'event' ? 1 : 0)

const misshapen = (path: Path, type: string): Verdict => ({
  pass: false,
  code: 'payload_shape',
  where: formatWhere(path),
  detail: `the ${type} payload has none of the specified shapes`,
})
