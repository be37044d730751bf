import OpenAI from 'openai'
import { expectCassette, useCassette } from 'retake/vitest'
import { expect, test } from 'vitest'

const lookupOrder = async ({ orderId }: { orderId: string }) => ({ orderId, late: true })

test('looks an order up', async () => {
  const cassette = useCassette()
  const tools = cassette.tools({ lookupOrder })
  const client = new OpenAI({ baseURL: process.env.PROVIDER_URL, apiKey: process.env.OPENAI_API_KEY ?? 'none' })

  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Where is A-77?' }]
  const send = () =>
    client.chat.completions.create({
      model: 'gpt-5',
      messages,
      tools: [{ type: 'function', function: { name: 'lookupOrder', parameters: { type: 'object' } } }],
    })
  const first = (await send()).choices[0]?.message
  const call = first?.tool_calls?.[0]
  if (!first || call?.type !== 'function') throw new Error('no tool call')
  const order = await tools.lookupOrder(JSON.parse(call.function.arguments))
  messages.push(first, { role: 'tool', tool_call_id: call.id, content: JSON.stringify(order) })
  const answer = (await send()).choices[0]?.message.content

  expect(answer).toBe('It is late.')
  expectCassette(cassette).toHaveCalledTool('lookupOrder', { orderId: 'A-77' })
  expectCassette(cassette).toHaveModelCalls(2)
})
