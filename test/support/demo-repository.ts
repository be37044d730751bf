import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Cassette, CassetteOptions, CassetteResult } from '@retake/session'
import OpenAI from 'openai'
import { inTest } from '../session/in-test.ts'
import { chatCall, chatJson } from './fake-provider/chat.ts'
import { startFakeProvider } from './fake-provider/fake-provider.ts'

type Message = OpenAI.ChatCompletionMessageParam

/** The agent of a shop, and the model behind it, in one of two versions. */
interface Version {
  prompt: string
  /** What the model answers and asks for, by what it was asked. */
  refundAmount: number
  answers: Record<'late' | 'fresh' | 'hours', string>
}

const before: Version = {
  prompt: [
    'You are the refund agent of a small shop.',
    'Look an order up before you say anything about it.',
    'Refund late orders in full.',
    'Answer in one or two sentences.',
  ].join('\n'),
  refundAmount: 20,
  answers: {
    late: 'Your order is 16 days late, so I sent 20 € back to your card.',
    fresh: 'Your order arrived on time, so I cannot refund it.',
    hours: 'We are open from 9 to 18.',
  },
}

const after: Version = {
  prompt: before.prompt.replace('Refund late orders in full.', 'Refund late orders, but keep the shipping of 1.50 €.'),
  refundAmount: 18.5,
  answers: {
    late: 'Your order is 16 days late, so I sent 18.50 € back to your card. The shipping is not refunded.',
    fresh: 'Your order arrived on time, so there is nothing to refund.',
    hours: before.answers.hours,
  },
}

const questions = { late: 'Where is A-77?', fresh: 'Can I have my money back for B-12?', hours: 'When are you open?' }
type Question = keyof typeof questions
const names: Record<Question, string> = {
  late: 'refunds a late order',
  fresh: 'refuses a fresh order',
  hours: 'tells the hours',
}

const tool = (name: string, parameter: string, type: string): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { [parameter]: { type } }, required: [parameter] } },
})
const tools = [tool('lookup_order', 'orderId', 'string'), tool('refund', 'amount', 'number')]

const runAgent = async (url: string, { prompt }: Version, question: string, cassette: Cassette): Promise<void> => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-of-the-test-1234', maxRetries: 0 })
  const run = cassette.tools({
    lookup_order: async ({ orderId }: { orderId: string }) => (orderId === 'A-77' ? '16 days late' : 'on time'),
    refund: async ({ amount }: { amount: number }) => ({ refunded: amount }),
  })
  const messages: Message[] = [
    { role: 'system', content: prompt },
    { role: 'user', content: question },
  ]
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'gpt-5.5', messages, tools })
    const message = choices[0]?.message
    if (!message?.tool_calls) return
    messages.push(message)
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      const result = await run[call.function.name as keyof typeof run](JSON.parse(call.function.arguments) as never)
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) })
    }
  }
}

const repliesOf =
  ({ refundAmount, answers }: Version) =>
  ({ body }: { body: { messages: Message[] } }) => {
    const question = body.messages.find(({ role }) => role === 'user')?.content
    const kind = (Object.keys(questions) as Question[]).find((key) => questions[key] === question) ?? 'hours'
    const results = body.messages.filter(({ role }) => role === 'tool').length
    const orderId = kind === 'late' ? 'A-77' : 'B-12'
    if (kind !== 'hours' && results === 0) {
      return chatJson({ tool_calls: [chatCall('call_a', 'lookup_order', { orderId })] })
    }
    if (kind === 'late' && results === 1) {
      return chatJson({ tool_calls: [chatCall('call_b', 'refund', { amount: refundAmount })] })
    }
    return chatJson({ content: answers[kind] })
  }

export interface DemoRepository extends AsyncDisposable {
  readonly folder: string
  /** Path of a cassette from the folder. */
  cassette(question: Question): string
  git(...args: string[]): string
  /** Records cassettes anew, as the agent of a branch. */
  record(version: 'before' | 'after', options?: CassetteOptions & { review?: boolean }): Promise<CassetteResult[]>
  write(files: Record<string, string>): Promise<void>
}

/** A repository of git with three cassettes on `main`, and on the branch `shipping` the agent that keeps the shipping. */
export const createDemoRepository = async (): Promise<DemoRepository> => {
  const folder = await mkdtemp(join(tmpdir(), 'retake-demo-'))
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_PAGER: 'cat' },
    })
  const cassette = (question: Question) =>
    `test/__cassettes__/refund.test.ts/${names[question].replaceAll(' ', '-')}.cassette.json`
  const record: DemoRepository['record'] = async (name, options = {}) => {
    const version = name === 'before' ? before : after
    await using provider = await startFakeProvider({ replies: repliesOf(version) })
    const results: CassetteResult[] = []
    for (const question of Object.keys(questions) as Question[]) {
      const { result } = await inTest(
        join(folder, cassette(question)),
        { mode: 'update', ...options, label: `refund agent > ${names[question]}` },
        (open) => runAgent(provider.url, version, questions[question], open),
      )
      results.push(result)
    }
    return results
  }
  const write: DemoRepository['write'] = async (files) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
  }
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  const commit = (message: string) => {
    git('add', '-A')
    git('commit', '-q', '-m', message)
  }
  await write({
    '.gitattributes': '*.cassette.json diff=retake merge=binary text eol=lf\n',
    '.gitignore': '*.take.json\n',
  })
  await record('before')
  commit('The agent refunds in full')
  git('checkout', '-q', '-b', 'shipping')
  await record('after')
  commit('The agent keeps the shipping')
  // main goes on by itself: a comparison with its tip would show this too.
  git('checkout', '-q', 'main')
  await write({ 'README.md': 'A shop.\n' })
  commit('A readme')
  git('checkout', '-q', 'shipping')
  return {
    folder,
    cassette,
    git,
    record,
    write,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
