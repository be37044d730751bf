import type { JsonValue } from '@retake/trace'
import { aiGateway } from './ai-gateway/wire.ts'
import { anthropicBedrock } from './anthropic-bedrock/wire.ts'
import { anthropicMessages } from './anthropic-messages/wire.ts'
import { anthropicVertex } from './anthropic-vertex/wire.ts'
import { bedrockConverse } from './bedrock-converse/wire.ts'
import { geminiGenerateContent } from './gemini/wire.ts'
import { ollamaChat } from './ollama/wire.ts'
import { openaiChat } from './openai-chat/wire.ts'
import { openaiResponses } from './openai-responses/wire.ts'
import type { Wire } from './wire.ts'

/** Every wire that retake records and replays. */
export const wires: readonly Wire[] = [
  openaiChat,
  openaiResponses,
  anthropicMessages,
  geminiGenerateContent,
  ollamaChat,
  bedrockConverse,
  anthropicVertex,
  anthropicBedrock,
  aiGateway,
]

/** The wire of a URL on any host; with a body, only if it has the members that the wire requires. */
export const findWire = (url: URL, body?: JsonValue): Wire | undefined =>
  wires.find((wire) => wire.matchesPath(url) && (body === undefined || wire.matchesBody(body, url)))
