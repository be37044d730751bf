import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { type AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { z } from 'zod'
import { langchainModels, langchainOpenai } from '../clients/langchain.ts'
import { chatTools, question, weatherIn } from '../tools.ts'
import type { Loop } from './loop.ts'

const loop =
  (model: (url: string) => BaseChatModel): Loop =>
  async (url) => {
    const bound = model(url).bindTools?.(chatTools)
    if (!bound) throw new Error('the model takes no tools')
    const history: BaseMessage[] = [new HumanMessage(question)]
    for (;;) {
      const reply = (await bound.invoke(history)) as AIMessage
      history.push(reply)
      const calls = reply.tool_calls ?? []
      if (calls.length === 0) return history.map(seenIn)
      for (const { id = '', name, args } of calls) {
        const broken = name === 'get_time'
        const content = broken ? 'the clock is broken' : weatherIn(args)
        history.push(new ToolMessage({ content, tool_call_id: id, name, status: broken ? 'error' : 'success' }))
      }
    }
  }

const seenIn = ({ type, content, ...rest }: BaseMessage) => {
  const { tool_calls, usage_metadata } = rest as Partial<AIMessage>
  return { type, content, tool_calls, usage_metadata }
}

export const langchainLoops: Record<string, Loop> = Object.fromEntries([
  ...Object.entries(langchainModels).map(([name, model]) => [`langchain ${name}`, loop(model)]),
  [
    'langchain ChatOpenAI, Responses, nothing kept',
    loop((url) => langchainOpenai(url, { useResponsesApi: true, zdrEnabled: true })),
  ],
])

export const langchainParsers: Record<string, Loop> = {
  'langchain withStructuredOutput': (url) =>
    langchainOpenai(url, {})
      .withStructuredOutput(z.object({ answer: z.number() }))
      .invoke(question),
}
