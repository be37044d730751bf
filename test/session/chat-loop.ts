import type OpenAI from 'openai'
import { type ChatToolCall, chatReply } from '../support/fake-provider/chat.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'
import { openaiAt } from './sdk-clients.ts'

export type Tool = (input: never) => unknown

export interface LoopOptions {
  question?: string
  /** Results go back in the order of the calls, or in the one in which the tools finish. [calls] */
  order?: 'calls' | 'finish'
}

/** An agent that runs the tools the model asks for, all of a turn at once, until it answers. */
export async function chatLoop(
  url: string,
  tools: Record<string, Tool>,
  { question = 'Go on.', order = 'calls' }: LoopOptions = {},
): Promise<string | null> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }]
  for (;;) {
    const { choices } = await openaiAt(url).chat.completions.create({ model: 'gpt-5', messages })
    const message = choices[0]?.message as OpenAI.ChatCompletionMessage
    messages.push(message)
    const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function')
    if (calls.length === 0) return message.content
    const finished: OpenAI.ChatCompletionMessageParam[] = []
    const inOrder = await Promise.all(
      calls.map(async (call) => {
        const content = await resultOf(tools[call.function.name] as Tool, JSON.parse(call.function.arguments))
        const result = { role: 'tool' as const, tool_call_id: call.id, content }
        finished.push(result)
        return result
      }),
    )
    messages.push(...(order === 'calls' ? inOrder : finished))
  }
}

async function resultOf(tool: Tool, input: unknown): Promise<string> {
  try {
    const value = await tool(input as never)
    return typeof value === 'string' ? value : String(JSON.stringify(value))
  } catch (error) {
    return `failed: ${error}`
  }
}

const countResults = (body: { messages: { role: string }[] }): number =>
  body.messages.filter(({ role }) => role === 'tool').length

/** Asks for `turns[0]`, then `turns[1]` …, then says what all tools said. */
export const toolScript =
  (...turns: readonly Partial<ChatToolCall>[][]): Extract<Scripted, (...args: never[]) => unknown> =>
  (request) => {
    let left = countResults(request.body)
    const turn = turns.find((calls) => {
      if (left === 0) return true
      left -= calls.length
      return false
    })
    const results = request.body.messages.filter(({ role }: { role: string }) => role === 'tool')
    const reply = turn
      ? chatReply({ tool_calls: turn as ChatToolCall[] })
      : chatReply({ content: results.map(({ content }: { content: string }) => content).join(', ') })
    return typeof reply === 'function' ? reply(request) : reply
  }
