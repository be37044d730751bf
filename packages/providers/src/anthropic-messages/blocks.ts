import type { JsonObject } from '@retake/trace'
import { toObject, toText } from '../json-members.ts'
import { unsupported } from '../unsupported.ts'

/** Blocks of a message that a server tool, a connector or the API itself made. */
const isServerBlock = (type: string): boolean =>
  type === 'server_tool_use' ||
  type === 'container_upload' ||
  type === 'fallback' ||
  type.startsWith('mcp_') ||
  (type.endsWith('_tool_result') && type !== 'tool_result')

/** @throws UnsupportedError for a block of a server tool, and for a call that a server tool made */
export const refuseServerBlock = (block: JsonObject, path: string): void => {
  const type = toText(block.type)
  if (type === 'compaction') throw unsupported('compaction', `${path}.type ${type}`)
  if (isServerBlock(type)) throw unsupported('hosted/server tools and their blocks', `${path}.type ${type}`)
  const caller = toText(toObject(block.caller).type)
  if (caller !== '' && caller !== 'direct') {
    throw unsupported('hosted/server tools and their blocks', `${path}.caller.type ${caller}`)
  }
}

/** A member of a toolset is named within it. Names have no dot of their own. */
export const toToolName = ({ name, toolset_name: toolset }: JsonObject): string =>
  toText(toolset) === '' ? toText(name) : `${toText(toolset)}.${toText(name)}`

export const fromToolName = (toolName: string): { name: string; toolset_name?: string } => {
  const dot = toolName.indexOf('.')
  return dot === -1 ? { name: toolName } : { name: toolName.slice(dot + 1), toolset_name: toolName.slice(0, dot) }
}
