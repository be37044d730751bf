import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { toObject, toText } from '../json-members.ts'
import { type RequestFields, withoutDialect } from '../request-fields.ts'

/** Fields of a Messages request (https://platform.claude.com/docs/en/api/messages/create), betas included. */
export const requestFields: RequestFields = {
  read: ['model', 'messages', 'system', 'tools', 'thread'],
  compared: {
    max_tokens: 'maxTokens',
    temperature: 'temperature',
    top_p: 'topP',
    top_k: 'topK',
    stop_sequences: 'stop',
    tool_choice: 'toolChoice',
    output_config: 'outputConfig',
    thinking: 'thinking',
  },
  ignored: [
    'stream',
    'metadata',
    'service_tier',
    'speed',
    'inference_geo',
    'cache_control',
    'diagnostics',
    'user_profile_id',
    'workspace_id',
    'billing_policy',
  ],
  refused: {
    container: 'hosted/server tools and their blocks',
    mcp_servers: 'hosted/server tools and their blocks',
    fallbacks: 'hosted/server tools and their blocks',
    fallback_credit_token: 'continuation tokens',
    compaction: 'compaction',
  },
  normalize,
}

function normalize(name: string, value: JsonValue): JsonValue | undefined {
  if (name === 'tool_choice') return isJsonObject(value) ? toToolChoice(value) : value
  if (name !== 'output_config') return value
  const { format, ...config } = toObject(value)
  if (format === undefined || format === null) return value
  const { schema, ...rest } = toObject(format)
  return { ...config, format: { ...rest, ...(schema !== undefined && { schema: withoutDialect(schema) }) } }
}

function toToolChoice(value: JsonObject): JsonValue | undefined {
  const { disable_parallel_tool_use: alone, ...choice } = value
  if (alone) return value
  return choice.type === 'auto' && Object.keys(choice).length === 1 ? undefined : choice
}

/**
 * Betas that only unlock members of the body, which are compared themselves, or that change transport, caching or
 * accounting. Any other value of `anthropic-beta` may change the answer and is compared.
 */
const gates: ReadonlySet<string> = new Set([
  'advanced-tool-use',
  'advisor-tool',
  'billing-policy',
  'cache-diagnosis',
  'claude-code',
  'code-execution',
  'compact',
  'computer-use',
  'context-management',
  'effort',
  'extended-cache-ttl',
  'fallback-credit',
  'fast-mode',
  'files-api',
  'fine-grained-tool-streaming',
  'inline-tools',
  'mcp-client',
  'mcp-tunnels',
  'message-batches',
  'message-threads',
  'mid-conversation-output-config',
  'mid-conversation-system-clear-at',
  'mid-conversation-tool-changes',
  'oauth',
  'pdfs',
  'prompt-caching',
  'server-side-fallback',
  'skills',
  'structured-outputs',
  'task-budgets',
  'thinking-token-count',
  'token-counting',
  'tool-examples',
  'tool-search-tool',
  'user-profiles',
  'user-profiles-billing',
  'web-fetch',
  'web-search',
])

/** The values of an `anthropic-beta` header that may change the answer, sorted. */
export const readBetas = (header: string | undefined): string[] =>
  (header ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '' && !gates.has(beta.replace(/-\d{4}-\d{2}-\d{2}$/, '')))
    .sort()

/** Tools that Anthropic runs itself. Every other tool type (bash, text editor, memory, computer …) is the client's. */
export const isServerTool = (type: JsonValue | undefined): boolean =>
  /^(web_search|web_fetch|code_execution|tool_search_tool|advisor|mcp)(_|$)/.test(toText(type))
