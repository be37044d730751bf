import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions'

export interface Order {
  orderId: string
  status: 'delivered' | 'late' | 'on its way'
  total: string
  daysLate?: number
}

const orders: Order[] = [
  { orderId: 'A-77', status: 'late', total: '20 €', daysLate: 5 },
  { orderId: 'B-12', status: 'delivered', total: '35 €' },
]

/** Stands for the shop's database. */
export const lookupOrder = async ({ orderId }: { orderId: string }): Promise<Order> => {
  const order = orders.find((known) => known.orderId === orderId)
  if (!order) throw new Error(`There is no order ${orderId}`)
  return order
}

/** Stands for the payment provider: a call that no test should make for real. */
export const refund = async ({ orderId, amount }: { orderId: string; amount: string }) => ({
  orderId,
  amount,
  refundId: `R-${Math.floor(Math.random() * 1_000_000)}`,
})

export type Tools = { lookupOrder: typeof lookupOrder; refund: typeof refund }

const text = (description: string) => ({ type: 'string', description })

export const toolDefinitions: ChatCompletionFunctionTool[] = [
  {
    type: 'function',
    function: {
      name: 'lookupOrder',
      description: 'Looks an order up by its number.',
      parameters: {
        type: 'object',
        properties: { orderId: text('Like A-77') },
        required: ['orderId'],
        additionalProperties: false,
      },
    },
  },
  {
    type: 'function',
    function: {
      name: 'refund',
      description: 'Pays money back for an order.',
      parameters: {
        type: 'object',
        properties: { orderId: text('Like A-77'), amount: text('With the currency, like 20 €') },
        required: ['orderId', 'amount'],
        additionalProperties: false,
      },
    },
  },
]
