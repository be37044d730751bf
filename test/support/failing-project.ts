import { chatCall, chatJson } from './fake-provider/chat.ts'
import { createJestProject, type JestKind } from './jest-project.ts'
import { type ModelProject, withModel } from './model-project.ts'
import { createProject } from './run-project.ts'
import { toModuleFormat } from './to-module-format.ts'

/** Ways in which the agent of the project changes after its cassettes were recorded. */
export const changes = ['prompt', 'tool-schema', 'message', 'tool-argument', 'request', 'unused'] as const
export type Change = (typeof changes)[number]

const agent = `import OpenAI from 'openai'
const client = new OpenAI({ baseURL: process.env.MODEL_URL })
const is = (change) => process.env.CHANGE === change

const system = [
  'You are the refund agent of Acme.',
  is('prompt')
    ? 'Refund only orders that are at least 10 days late.'
    : 'Refund only orders that are more than 14 days late.',
  'Answer in one sentence.',
].join('\\n')

const orderId = is('tool-schema') ? { type: 'string', pattern: '^A-[0-9]+$' } : { type: 'string' }
const lookup = is('tool-schema')
  ? { type: 'object', properties: { orderId, includeTax: { type: 'boolean' } }, required: ['orderId', 'includeTax'] }
  : { type: 'object', properties: { orderId }, required: ['orderId'] }
const refund = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] }
const tools = Object.entries({ lookup_order: lookup, refund }).map(([name, parameters]) => ({
  type: 'function',
  function: { name, description: '', parameters },
}))

export async function runAgent(question, run) {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ]
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'gpt-5.5', messages, tools })
    const { message } = choices[0]
    messages.push(message)
    if (is('unused') && message.tool_calls?.[0].function.name === 'refund') return 'It is on its way.'
    for (const call of message.tool_calls ?? []) {
      const input = JSON.parse(call.function.arguments)
      if (is('tool-argument') && input.orderId) input.orderId = 'A-078'
      const result = await run[call.function.name](input)
      messages.push({ role: 'tool', tool_call_id: call.id, content: result })
      if (is('message')) messages.push({ role: 'user', content: 'Remember to be polite.' })
    }
    if (message.tool_calls) continue
    if (!is('request') || messages.at(-2).content === 'Are you sure?') return message.content
    messages.push({ role: 'user', content: 'Are you sure?' })
  }
}
`

const testFile = `import { expect, test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { runAgent } from '../src/agent.ts'
const tools = { lookup_order: async () => 'late: 16 days', refund: async () => 'done' }
test('refunds a late order', async () => {
  const cassette = useCassette()
  await runAgent('Where is A-77?', cassette.tools(tools))
})
`

const others = `import { test } from 'vitest'
import { useCassette } from 'retake/vitest'
import { runAgent } from '../src/agent.ts'
const tools = { lookup_order: async () => 'late: 16 days', refund: async () => 'done' }
test.each(['A-1', 'A-2'])('refunds %s', async (id) => {
  const cassette = useCassette()
  await runAgent('Where is ' + id + '?', cassette.tools(tools))
})
`

const vitestFiles = {
  'src/agent.ts': agent,
  'test/refund.test.ts': testFile,
  'test/others.test.ts': others,
  'vitest.config.ts': `import { retake } from 'retake/vitest'
export default { plugins: [retake()], test: { maxWorkers: 1 } }
`,
}

const forJest = (text: string): string =>
  toModuleFormat(
    text
      .replace(/^import .* from 'vitest'\n/, '')
      .replace('retake/vitest', 'retake/jest')
      .replace('agent.ts', 'agent.js'),
  )

const jestFiles = {
  'src/agent.js': forJest(agent),
  'test/refund.test.js': forJest(testFile),
  'test/others.test.js': forJest(others),
}

/**
 * A project whose tests were recorded; `CHANGE` in the environment makes its agent another one.
 * @param kind the Jest that runs them. [Vitest]
 */
export const createFailingProject = async (kind?: JestKind): Promise<ModelProject> =>
  withModel(kind ? await createJestProject(kind, jestFiles) : await createProject(vitestFiles), ({ body }) => {
    const results = body.messages.filter(({ role }: { role: string }) => role === 'tool').length
    if (results === 0) return chatJson({ tool_calls: [chatCall('call_a', 'lookup_order', { orderId: 'A-77' })] })
    if (results === 1) return chatJson({ tool_calls: [chatCall('call_b', 'refund', { amount: 20 })] })
    return chatJson({ content: 'Your refund of 20 € is on its way.' })
  })
