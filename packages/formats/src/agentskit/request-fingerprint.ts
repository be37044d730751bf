import { canonicalJson, toStoredJson } from '@retake/trace'
import type { AdapterRequest } from './adapter.ts'

/** The fingerprint that AgentsKit publishes: roles and contents, the settings of the context and the names of its tools. */
export function fingerprintAdapterRequest({ messages, context }: AdapterRequest): string {
  const said = messages.map(({ role, content }) => `${role}:${content}`).join('|')
  if (!context) return `${said}::`
  const { systemPrompt = null, temperature = null, maxTokens = null, tools } = context
  const names = tools?.map(({ name }) => name).sort() ?? null
  return `${said}::${JSON.stringify({ s: systemPrompt, t: temperature, m: maxTokens, tn: names })}`
}

/**
 * Everything about a request that can change the answer. The published fingerprint leaves out parts, tool calls and the
 * schemas of tools, and two messages can have that of one: a replay by it would not see such a change.
 */
export function identifyAdapterRequest({ messages, context }: AdapterRequest): string {
  const { systemPrompt, temperature, maxTokens, metadata, tools } = context ?? {}
  const asked = {
    messages: messages.map(({ role, content, parts, toolCalls, toolCallId, metadata }) => ({
      ...{ role, content, parts, toolCalls, toolCallId, metadata },
    })),
    context: {
      ...{ systemPrompt, temperature, maxTokens, metadata },
      tools: tools?.map(({ name, description, schema }) => ({ name, description, schema })),
    },
  }
  return canonicalJson(toStoredJson(asked, 'the request of an adapter'))
}
