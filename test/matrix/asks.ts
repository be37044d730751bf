import { agentsAsks } from './clients/agents.ts'
import { aiSdkAsks } from './clients/ai-sdk.ts'
import { anthropicAsks } from './clients/anthropic.ts'
import { bedrockAsks } from './clients/bedrock.ts'
import { genaiAsks } from './clients/genai.ts'
import { langchainAsks } from './clients/langchain.ts'
import { ollamaAsks } from './clients/ollama.ts'
import { openaiAsks } from './clients/openai.ts'
import { vendorAsks } from './clients/vendors.ts'
import type { Ask } from './seen.ts'

/** Every way to ask a model once that the matrix knows. */
export const asks: Record<string, Ask> = {
  ...openaiAsks,
  ...anthropicAsks,
  ...genaiAsks,
  ...aiSdkAsks,
  ...langchainAsks,
  ...agentsAsks,
  ...vendorAsks,
  ...ollamaAsks,
  ...bedrockAsks,
}
