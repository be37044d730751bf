import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { isNothing, toObject, toText } from '../json-members.ts'
import { unsupported } from '../unsupported.ts'

/** Items that are neither a message, thinking, nor a call of a tool of the client's own. */
const hostedTypes: ReadonlySet<string> = new Set([
  'additional_tools',
  'configuration_update',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_list_tools',
  'program',
  'program_output',
  'tool_search_output',
])

const ownCalls = ['function_call', 'custom_tool_call', 'function_call_output', 'custom_tool_call_output']

/**
 * @throws UnsupportedError for an item that a tool of the provider made, or that the provider compacted a history into
 */
export const refuseHostedItem = (item: JsonObject, path: string): void => {
  const type = toText(item.type)
  if (type === 'compaction' || type === 'compaction_trigger') throw unsupported('compaction', `${path}.type ${type}`)
  const isHostedCall = /_call(_output)?$/.test(type) && !ownCalls.includes(type)
  if (isHostedCall || hostedTypes.has(type)) {
    throw unsupported('hosted/server tools and their blocks', `${path}.type ${type}`)
  }
  const caller = toText(toObject(item.caller).type)
  if (caller !== '' && caller !== 'direct') {
    throw unsupported('hosted/server tools and their blocks', `${path}.caller.type ${caller}`)
  }
}

/** An item that only names one of an earlier reply. */
export const isReference = (item: JsonValue): boolean =>
  isJsonObject(item) &&
  (item.type === 'item_reference' || (isNothing(item.type) && typeof item.id === 'string' && !('role' in item)))

/** A function in a namespace is named within it. */
export const toToolName = ({ name, namespace }: JsonObject): string =>
  toText(namespace) === '' ? toText(name) : `${toText(namespace)}.${toText(name)}`
