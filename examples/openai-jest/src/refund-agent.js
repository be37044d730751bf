const OpenAI = require('openai')
const { toolDefinitions } = require('./tools.js')

const systemPrompt = `You are the refund agent of a small shop.
Look an order up before you say anything about it.
Refund only late orders, and never more than their total.
Answer in one or two sentences.`

const maxTurns = 6

const callTool = async ({ id, function: { name, arguments: args } }, tools) => {
  let content
  try {
    content = JSON.stringify(await tools[name](JSON.parse(args)))
  } catch (error) {
    content = `Error: ${error instanceof Error ? error.message : error}`
  }
  return { role: 'tool', tool_call_id: id, content }
}

/** Answers a customer; the model decides which tools are called. */
exports.runRefundAgent = async (question, tools) => {
  const openai = new OpenAI()
  const messages = [
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
