import { formatPath, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '@retake/trace'
import { chunkTypes } from './adapter.ts'

interface ShapeFault {
  reason: string
  path: JsonPath
}

const roles = ['user', 'assistant', 'system', 'tool']
const statuses = ['pending', 'streaming', 'complete', 'error']
const counts = ['promptTokens', 'completionTokens', 'totalTokens']

/** Why a value is no cassette of an adapter, in the order and the words of the published reader. */
export function findCassetteFault(value: JsonValue): ShapeFault | undefined {
  if (!isJsonObject(value)) return { reason: 'Invalid cassette: root must be an object', path: [] }
  const { version, entries, seed, metadata } = value
  // What stands there instead is content; a number is none.
  const found = typeof version === 'number' || version === undefined ? String(version) : `a ${typeof version}`
  if (version !== 1) return { reason: `Unsupported cassette version: ${found}`, path: ['version'] }
  if (!Array.isArray(entries)) return { reason: 'Invalid cassette: entries missing', path: ['entries'] }
  if (seed !== undefined && typeof seed !== 'string' && typeof seed !== 'number') {
    return { reason: 'Invalid cassette: seed must be a string or finite number', path: ['seed'] }
  }
  if (metadata !== undefined && !isJsonObject(metadata)) {
    return { reason: 'Invalid cassette: metadata must be an object', path: ['metadata'] }
  }
  for (const [index, entry] of entries.entries()) {
    const fault = findEntryFault(entry, ['entries', index])
    if (fault) return fault
  }
  return undefined
}

const invalid = (path: JsonPath, what: string): ShapeFault => ({
  reason: `Invalid cassette: ${formatPath(path)} ${what}`,
  path,
})

function findEntryFault(entry: JsonValue, path: JsonPath): ShapeFault | undefined {
  if (!isJsonObject(entry)) return invalid(path, 'must be an object')
  const { request, chunks } = entry
  if (!isJsonObject(request)) return invalid([...path, 'request'], 'must be an object')
  if (!Array.isArray(request.messages)) return invalid([...path, 'request', 'messages'], 'must be an array')
  for (const [at, message] of request.messages.entries()) {
    const place = [...path, 'request', 'messages', at]
    if (!isMessage(message)) return invalid(place, 'has an invalid message shape')
    if (!isDate(message.createdAt)) return invalid([...place, 'createdAt'], 'must be an ISO date string')
  }
  const wrong = findContextFault(request.context, [...path, 'request', 'context'])
  if (wrong) return wrong
  if (!Array.isArray(chunks)) return invalid([...path, 'chunks'], 'must be an array')
  for (const [at, chunk] of chunks.entries()) {
    const fault = findChunkFault(chunk, [...path, 'chunks', at])
    if (fault) return fault
  }
  return undefined
}

function findContextFault(context: JsonValue | undefined, path: JsonPath): ShapeFault | undefined {
  if (context === undefined) return undefined
  if (!isJsonObject(context)) return invalid(path, 'must be an object')
  const { tools } = context
  if (tools === undefined) return undefined
  if (!Array.isArray(tools)) return invalid([...path, 'tools'], 'must be an array')
  const at = tools.findIndex((tool) => !isJsonObject(tool) || typeof tool.name !== 'string')
  return at === -1 ? undefined : invalid([...path, 'tools', at], 'must be an object with a name')
}

const isMessage = (message: JsonValue): message is JsonObject =>
  isJsonObject(message) &&
  typeof message.id === 'string' &&
  roles.some((role) => role === message.role) &&
  typeof message.content === 'string' &&
  statuses.some((status) => status === message.status)

const isDate = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value))

function findChunkFault(chunk: JsonValue, path: JsonPath): ShapeFault | undefined {
  if (!isJsonObject(chunk) || !chunkTypes.some((type) => type === chunk.type))
    return invalid(path, 'has an invalid type')
  const { type, metadata, content, toolCall, usage } = chunk
  if (metadata !== undefined && !isJsonObject(metadata)) return invalid([...path, 'metadata'], 'must be an object')
  if (content !== undefined && typeof content !== 'string') return invalid([...path, 'content'], 'must be a string')
  const isTool = type === 'tool_call' || type === 'tool_result'
  if (isTool && !isToolCall(toolCall)) return invalid([...path, 'toolCall'], 'has an invalid shape')
  if (type === 'usage' && !isUsage(usage)) return invalid([...path, 'usage'], 'has an invalid shape')
  return undefined
}

const isToolCall = (call: JsonValue | undefined): boolean =>
  isJsonObject(call) &&
  ['id', 'name', 'args'].every((name) => typeof call[name] === 'string') &&
  (call.result === undefined || typeof call.result === 'string')

const isUsage = (usage: JsonValue | undefined): boolean =>
  isJsonObject(usage) && counts.every((name) => typeof usage[name] === 'number' && usage[name] >= 0)
