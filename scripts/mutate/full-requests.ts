import type { WireRequest } from '@retake/providers'
import { fullChat, fullMessages } from './full-chat-and-messages.ts'
import { fullBedrockMessages, fullConverse, fullGatewayCall, fullVertexMessages } from './full-cloud-requests.ts'
import { fullGenerateContent, fullOllamaChat, fullResponses } from './full-other-requests.ts'

/** Requests with every member that the APIs document and that retake takes, for what real traffic seldom has. */
export const fullRequests: Readonly<Record<string, WireRequest>> = {
  'openai.chat': fullChat,
  'openai.responses': fullResponses,
  'anthropic.messages': fullMessages,
  'anthropic.bedrock': fullBedrockMessages,
  'anthropic.vertex': fullVertexMessages,
  'bedrock.converse': fullConverse,
  'ai-gateway.language-model': fullGatewayCall,
  'gemini.generate-content': fullGenerateContent,
  'ollama.chat': fullOllamaChat,
}
