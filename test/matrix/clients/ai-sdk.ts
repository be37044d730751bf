import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, type LanguageModel, streamText, type ToolSet, tool } from 'ai'
import { type Ask, call, collect, type Seen } from '../seen.ts'
import { apiKey, question, toolSpecs } from '../tools.ts'

export const aiModels: Record<string, (url: string) => LanguageModel> = {
  'openai.chat': (url) => createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat('gpt-5'),
  'openai.responses': (url) => createOpenAI({ apiKey, baseURL: `${url}/v1` }).responses('gpt-5'),
  anthropic: (url) => createAnthropic({ apiKey, baseURL: `${url}/v1` })('claude-sonnet-5-5'),
  google: (url) => createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` })('gemini-3-pro'),
  'openai-compatible': (url) =>
    createOpenAICompatible({ name: 'deepseek', apiKey, baseURL: `${url}/v1` })('deepseek-reasoner'),
}

const tools: ToolSet = Object.fromEntries(
  toolSpecs.map(({ name, description, schema }) => [
    name,
    tool({ description, inputSchema: jsonSchema<object>(schema) }),
  ]),
)

type Told = Pick<
  Awaited<ReturnType<typeof generateText>>,
  'text' | 'toolCalls' | 'reasoning' | 'finishReason' | 'rawFinishReason' | 'usage' | 'content' | 'warnings'
>

const seenIn = (told: Told, rest: object = {}): Seen => ({
  ...told,
  calls: told.toolCalls.map(({ toolName, input }) => call(toolName, input)),
  ...rest,
})

const generate =
  (model: (url: string) => LanguageModel): Ask =>
  async (url) => {
    const result = await generateText({ model: model(url), prompt: question, tools, maxRetries: 0 })
    const { text, toolCalls, reasoning, finishReason, rawFinishReason, usage, content, warnings, response } = result
    const { modelId } = response
    return seenIn({ text, toolCalls, reasoning, finishReason, rawFinishReason, usage, content, warnings }, { modelId })
  }

const stream =
  (model: (url: string) => LanguageModel): Ask =>
  async (url) => {
    let failure: unknown
    const result = streamText({
      model: model(url),
      prompt: question,
      tools,
      maxRetries: 0,
      onError: ({ error }) => {
        failure = error
      },
    })
    const parts = await collect(result.fullStream)
    if (failure) throw failure
    const { text, toolCalls, reasoning, finishReason, rawFinishReason, usage, content, warnings } = result
    return seenIn(
      {
        text: await text,
        toolCalls: await toolCalls,
        reasoning: await reasoning,
        finishReason: await finishReason,
        rawFinishReason: await rawFinishReason,
        usage: await usage,
        content: await content,
        warnings: await warnings,
      },
      { parts },
    )
  }

export const aiSdkAsks: Record<string, Ask> = Object.fromEntries(
  Object.entries(aiModels).flatMap(([name, model]) => [
    [`ai generateText ${name}`, generate(model)],
    [`ai streamText ${name}`, stream(model)],
  ]),
)
