import type { WireRequest } from '@retake/providers'
import { isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '@retake/trace'
import { changeLeaf, replaceAt } from './mutations.ts'
import { find, type Places } from './places.ts'

/** A change of a request that a model would notice. */
export interface OneFieldChange {
  name: string
  /** Undefined where the request has nothing to change. */
  change(request: WireRequest, places: Places): WireRequest | undefined
  /** What the message of the miss must name. */
  path: RegExp
}

/** A rewriting of a request that asks the same; undefined where there is nothing to rewrite. */
export interface SameRequest {
  name: string
  rewrite(request: WireRequest, places: Places): WireRequest | undefined
}

const inBody = (request: WireRequest, path: JsonPath, to: JsonValue): WireRequest => ({
  ...request,
  body: replaceAt(request.body, path, { to }) as JsonObject,
})

/** Sets a member; objects on the way to it that are not there are made. */
const setAt = (body: JsonObject, [first = '', ...rest]: JsonPath, to: JsonValue): JsonObject => {
  const member = body[first]
  return { ...body, [first]: rest.length === 0 ? to : setAt(isJsonObject(member) ? member : {}, rest, to) }
}

type Found = ReturnType<typeof find>[number]

const findAll = (request: WireRequest, patterns: readonly string[]): Found[] =>
  patterns.flatMap((pattern) => find(request.body, pattern))

const isText = ({ value }: Found): boolean => typeof value === 'string' && value.trim() !== ''

const changeText = (request: WireRequest, patterns: readonly string[]): WireRequest | undefined => {
  const found = findAll(request, patterns).find(isText)
  return found && inBody(request, found.path, changeLeaf(found.value as string))
}

/** The first leaf of a value, for results that are objects. */
const firstLeaf = ({ path, value }: Found): Found | undefined => {
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : { path, value }
  const entries: [string | number, JsonValue][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  for (const [key, member] of entries) {
    const leaf = firstLeaf({ path: [...path, key], value: member })
    if (leaf) return leaf
  }
  return undefined
}

const base64 = /^(data:[^,]*;base64,)?[A-Za-z0-9+/_-]{8,}={0,2}$/

/** Changes six bits in the middle of the data. */
const changeByte = (text: string): string => {
  const start = text.indexOf(',') + 1
  const at = start + Math.floor((text.length - start) / 8) * 4
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

/** Only what a user or the application said has a place in the conversation that every wire tells. */
const isSaid = (message: JsonValue | undefined): boolean =>
  isJsonObject(message) &&
  // Items without a role are calls, results or thinking, contents without one a user's.
  ['user', 'assistant', 'model'].includes(String(message.role ?? ('type' in message ? '' : 'user'))) &&
  message.content !== ''

const swapMessages = (request: WireRequest, places: Places): WireRequest | undefined => {
  const [list] = find(request.body, places.messages)
  if (!Array.isArray(list?.value)) return undefined
  const messages = list.value
  const at = messages.findIndex((one, nth) => {
    const other = messages[nth + 1]
    if (!isSaid(one) || !isSaid(other) || !isJsonObject(one) || !isJsonObject(other)) return false
    return one.role !== other.role || (one.role !== 'assistant' && JSON.stringify(one) !== JSON.stringify(other))
  })
  if (at === -1) return undefined
  const [one, other] = [messages[at] as JsonValue, messages[at + 1] as JsonValue]
  return inBody(request, list.path, messages.with(at, other).with(at + 1, one))
}

/** The ten changes that strict replay must never serve. */
export const oneFieldChanges: readonly OneFieldChange[] = [
  {
    name: 'prompt char',
    change: (request, { prompts }) => changeText(request, prompts),
    path: /\b(systemPrompt|messages\[\d+\])/,
  },
  { name: 'message order', change: swapMessages, path: /\b(systemPrompt|messages\[\d+\])/ },
  {
    name: 'tool description',
    change: (request, { toolDescriptions }) => changeText(request, toolDescriptions),
    path: /\btools\[\d+\]/,
  },
  {
    name: 'schema property',
    change(request, { schemas }) {
      const found = findAll(request, schemas).find(({ value }) => isJsonObject(value))
      return found && inBody(request, found.path, { ...(found.value as JsonObject), retake_new: { type: 'string' } })
    },
    path: /\btools\[\d+\]\.inputSchema\.properties\.retake_new/,
  },
  { name: 'model', change: (request, { withModel }) => withModel(request, '-next'), path: /\b(model|params\.other)/ },
  {
    name: 'temperature',
    change: (request, { temperature }) => ({ ...request, body: setAt(request.body, temperature, 0.123) }),
    path: /\bparams\.temperature/,
  },
  {
    name: 'tool_choice',
    change(request, { toolChoice }) {
      const hasTools = findAll(request, ['tools.*', 'toolConfig.tools.*']).length > 0
      if (!toolChoice || !hasTools) return undefined
      const [known] = find(request.body, toolChoice.path.join('.'))
      const [one, other] = toolChoice.values
      const to = JSON.stringify(known?.value) === JSON.stringify(one) ? other : one
      return { ...request, body: setAt(request.body, toolChoice.path, to) }
    },
    path: /\bparams\.toolChoice/,
  },
  {
    name: 'tool result',
    change(request, { toolResults }) {
      const leaf = findAll(request, toolResults).flatMap((found) => firstLeaf(found) ?? [])[0]
      return leaf && inBody(request, leaf.path, changeLeaf(leaf.value as string))
    },
    path: /\bmessages\[\d+\]/,
  },
  {
    name: 'unknown new field',
    change: (request) => ({ ...request, body: { ...request.body, retake_new: { deep: [1] } } }),
    path: /\bparams\.other\.retake_new/,
  },
  {
    name: 'image byte',
    change(request, { media }) {
      const found = findAll(request, media).find(({ value }) => typeof value === 'string' && base64.test(value))
      return found && inBody(request, found.path, changeByte(found.value as string))
    },
    path: /\bmessages\[\d+\]/,
  },
]

const renameIds = (request: WireRequest, { ids }: Places): WireRequest | undefined => {
  const found = findAll(request, ids).filter(isText)
  // A reply that the provider holds, or thinking beside a call, has ids that are not in the request.
  if (found.length === 0 || request.body.previous_response_id) return undefined
  const names = new Map([...new Set(found.map(({ value }) => value))].map((id, nth) => [id, `id_of_this_run_${nth}`]))
  return found.reduce((renamed, { path, value }) => inBody(renamed, path, names.get(value) ?? value), request)
}

const markForCache = (request: WireRequest, { cacheMarks }: Places): WireRequest | undefined => {
  if (!cacheMarks) return undefined
  const marked = findAll(request, cacheMarks.onEach)
    .filter(({ value }) => isJsonObject(value))
    .reduce(
      (changed, { path, value }) => inBody(changed, path, { ...(value as JsonObject), ...cacheMarks.mark }),
      request,
    )
  return { ...marked, body: { ...marked.body, ...cacheMarks.request } }
}

/** What strict replay must serve. */
export const sameRequests: readonly SameRequest[] = [
  { name: 'other ids', rewrite: renameIds },
  { name: 'the other form', rewrite: (request, { withOtherForm }) => withOtherForm(request) },
  {
    name: 'metadata',
    rewrite: (request, { metadata }) => ({ ...request, body: { ...request.body, ...metadata } }),
  },
  { name: 'cache marks', rewrite: markForCache },
]
