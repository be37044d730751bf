import { isJsonObject, type JsonValue, type Message } from '@retake/trace'
import type { BuiltInAgent } from './built-in-agent.ts'

/** The agent of `demo` and `check`: it refunds an order that is late. */
export const shopAgent: BuiltInAgent = {
  model: 'retake-demo',
  systemPrompt: 'You are the refund agent of a small shop. Refund only late orders.',
  tools: [
    {
      name: 'lookupOrder',
      description: 'Looks an order up by its number.',
      inputSchema: { type: 'object', properties: { orderId: { type: 'string' } }, required: ['orderId'] },
      run: (input) => ({ ...(isJsonObject(input) && { orderId: input.orderId ?? null }), status: 'late', daysLate: 5 }),
    },
  ],
  reply(messages) {
    const result = lastResult(messages)
    const orderId = /\b[A-Z]-\d+\b/.exec(promptOf(messages))?.[0] ?? 'A-77'
    if (result === undefined) {
      // The only thing this model gets wrong, so that there is a run that fails.
      const toolName = /gift/i.test(promptOf(messages)) ? 'wrapGift' : 'lookupOrder'
      return { toolName, toolInput: { orderId } }
    }
    const status = isJsonObject(result) ? result.status : undefined
    if (status !== 'late') return `Order ${orderId} is not late, so I cannot refund it.`
    return `Order ${orderId} is late. I have refunded your 20 €.`
  },
}

const promptOf = (messages: readonly Message[]): string => {
  const content = messages.find(({ role }) => role === 'user')?.content
  return typeof content === 'string' ? content : ''
}

const lastResult = (messages: readonly Message[]): JsonValue | undefined => {
  const content = messages.at(-1)?.content
  const part = typeof content === 'string' ? undefined : content?.findLast(({ type }) => type === 'tool_result')
  return part && 'result' in part ? part.result : undefined
}
