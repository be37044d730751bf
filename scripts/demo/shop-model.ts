import { type AnthropicTurn, anthropicReply } from '../../test/support/fake-provider/anthropic.ts'
import { type ChatTurn, chatCall, chatReply } from '../../test/support/fake-provider/chat.ts'
import type { FakeReply, ReceivedRequest } from '../../test/support/fake-provider/reply.ts'

interface ChatMessage {
  role: string
  content: string | null
}

/** What a model would answer the agents of examples/refund-agent-vitest: decided by the conversation so far. */
const chatTurn = (messages: ChatMessage[]): ChatTurn => {
  const question = messages.find(({ role }) => role === 'user')?.content ?? ''
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '')
  const ids = question.match(/\b[A-Z]-\d+\b/g) ?? []
  if (results.length === 0)
    return { tool_calls: ids.map((orderId, i) => chatCall(`call_look${orderId}${i}`, 'lookupOrder', { orderId })) }

  if (results[0]?.startsWith('Error')) return { content: `I am sorry, there is no order ${ids[0]}.` }
  const order = JSON.parse(results[0] ?? '{}')
  if (ids.length > 1)
    return { content: `Order ${order.orderId} is ${order.daysLate} days late, ${ids[1]} was delivered.` }
  if (order.status !== 'late') return { content: `Order ${ids[0]} was delivered, so I cannot refund it.` }
  if (results.length === 1) {
    const args = { orderId: order.orderId, amount: order.total }
    return { content: 'The order is late, so I refund it.', tool_calls: [chatCall('call_refund1', 'refund', args)] }
  }
  return { content: `Order ${ids[0]} is ${order.daysLate} days late. I have refunded your ${order.total}.` }
}

const mail: AnthropicTurn = {
  model: 'claude-sonnet-5-5',
  content: [
    {
      type: 'text',
      text: 'Hi Kim,\n\nwe are sorry that A-77 took five days longer than promised. Your 20 € are on their way back.\n\nYour shop',
    },
  ],
}

export const replies = (request: ReceivedRequest): FakeReply | Promise<FakeReply> => {
  const reply = request.url.includes('/messages')
    ? anthropicReply(mail, { pieces: 6, pauseMs: 20 })
    : chatReply({ model: 'gpt-5.5', ...chatTurn(request.body.messages) })
  return typeof reply === 'function' ? reply(request) : reply
}
