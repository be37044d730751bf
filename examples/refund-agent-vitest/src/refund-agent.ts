import OpenAI from 'openai'
import type { ChatCompletionMessageParam, ChatCompletionMessageToolCall } from 'openai/resources/chat/completions'
import { type Tools, toolDefinitions } from './tools.ts'

const systemPrompt = `You are the refund agent of a small shop.
Look an order up before you say anything about it.
Refund only late orders, and never more than their total.
Answer in one or two sentences.`

const maxTurns = 6

const callTool = async (call: ChatCompletionMessageToolCall, tools: Tools): Promise<ChatCompletionMessageParam> => {
  if (call.type !== 'function') throw new Error(`unexpected tool type ${call.type}`)
  const tool = tools[call.function.name as keyof Tools] as (args: unknown) => Promise<unknown>
  let content: string
  try {
    content = JSON.stringify(await tool(JSON.parse(call.function.arguments)))
  } catch (error) {
    content = `Error: ${error instanceof Error ? error.message : error}`
  }
  return { role: 'tool', tool_call_id: call.id, content }
}

/** Answers a customer; the model decides which tools are called. */
export const runRefundAgent = async (question: string, tools: Tools): Promise<string> => {
  const openai = new OpenAI()
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: systemPrompt },
    { role: 'user', content: question },
  ]
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const completion = await openai.chat.completions.create({ model: 'gpt-5.5', messages, tools: toolDefinitions })
    const message = completion.choices[0]?.message
    if (!message) throw new Error('The model did not answer')
    if (!message.tool_calls?.length) return message.content ?? ''
    messages.push(message, ...(await Promise.all(message.tool_calls.map((call) => callTool(call, tools)))))
  }
  throw new Error(`No answer after ${maxTurns} turns`)
}
