import OpenAI from 'openai'

const systemPrompt = `You are the refund agent of a small shop.
Look an order up before you say anything about it.
Refund only late orders, and never more than their total.
Answer in one or two sentences.`

const string = { type: 'string' }
const toolOf = (name, description, properties) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties, required: Object.keys(properties) } },
})
const toolDefinitions = [
  toolOf('lookupOrder', 'Looks an order up by its number.', { orderId: string }),
  toolOf('refund', 'Pays money back for an order.', { orderId: string, amount: string }),
]

/** Answers a customer; the model decides which tools are called. */
export const runRefundAgent = async (question, tools) => {
  const openai = new OpenAI()
  const messages = [
    { role: 'system', content: systemPrompt },
    { role: 'user', content: question },
  ]
  for (let turn = 0; turn < 6; turn += 1) {
    const completion = await openai.chat.completions.create({ model: 'gpt-5.5', messages, tools: toolDefinitions })
    const { message } = completion.choices[0]
    if (!message.tool_calls?.length) return message.content
    messages.push(message)
    for (const call of message.tool_calls) {
      const result = await tools[call.function.name](JSON.parse(call.function.arguments))
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) })
    }
  }
  throw new Error('No answer after 6 turns')
}
