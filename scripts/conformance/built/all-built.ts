import { anthropicMessages } from './anthropic-messages.ts'
import { azureChat } from './azure-chat.ts'
import type { Built } from './built.ts'
import { cloudAndLocal } from './cloud-and-local.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { vendorChat } from './vendor-chat.ts'

/** What real traffic of ours has nowhere, by the API. */
export const allBuilt: readonly [string, readonly Built[]][] = [
  ['OpenAI Chat Completions, and its vendors', [...openaiChat, ...azureChat, ...vendorChat]],
  ['OpenAI Responses', openaiResponses],
  ['Anthropic Messages', anthropicMessages],
  ['Gemini', gemini],
  ['Bedrock, Ollama, and endpoints of no conversation', cloudAndLocal],
]
