import type { JsonObject, JsonValue } from '@retake/trace'

/** One message of a request, as AgentsKit keeps it. */
export interface AdapterMessage {
  id: string
  role: 'user' | 'assistant' | 'system' | 'tool'
  content: string
  status: 'pending' | 'streaming' | 'complete' | 'error'
  createdAt: Date
  parts?: JsonValue
  toolCalls?: JsonValue
  toolCallId?: string
  metadata?: JsonObject
}

export interface AdapterTool {
  name: string
  description?: string
  /** JSON schema of the input. */
  schema?: JsonValue
}

/** What an adapter is asked. */
export interface AdapterRequest {
  messages: AdapterMessage[]
  context?: {
    systemPrompt?: string
    temperature?: number
    maxTokens?: number
    tools?: AdapterTool[]
    metadata?: JsonObject
  }
}

export const chunkTypes = ['text', 'tool_call', 'tool_result', 'reasoning', 'usage', 'error', 'done'] as const

/** A piece of a streamed reply. */
export interface AdapterChunk {
  type: (typeof chunkTypes)[number]
  content?: string
  toolCall?: { id: string; name: string; args: string; result?: string }
  usage?: { promptTokens: number; completionTokens: number; totalTokens: number }
  metadata?: JsonObject
}

/** A reply on its way. */
export interface AdapterSource {
  stream(): AsyncIterable<AdapterChunk>
  abort(): void
}

/** What a chat of AgentsKit talks to a model through. */
export interface AdapterFactory {
  createSource(request: AdapterRequest): AdapterSource
  capabilities?: unknown
}
