import { setTimeout as pause } from 'node:timers/promises'
import type { Cassette } from '@retake/session'
import type OpenAI from 'openai'
import { type ChatToolCall, chatCall, chatError, chatReply, chatStream } from '../support/fake-provider/chat.ts'
import type { FakeReply, ReceivedRequest } from '../support/fake-provider/reply.ts'
import { outcomeOf } from './record-and-replay.ts'
import { openaiAt } from './sdk-clients.ts'

/** Numbers below 1, the same for the same seed (mulberry32). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** What one agent does. Nothing of it depends on how fast anything is. */
export interface Plan {
  question: string
  /** Tool calls of each turn. */
  turns: { tool: 'lookup' | 'refund' | 'fails'; n: number }[][]
  ids: 'unique' | 'repeated' | 'none'
  /** Failed attempts before each reply. */
  failures: number
  mode: 'json' | 'stream' | 'leaves early'
  /** Milliseconds: of the provider, of the tools, and before the agent starts. */
  paces: [provider: number, tools: number, start: number]
}

export const createPlans = (random: () => number): Plan[] => {
  const pick = <T>(...items: T[]): T => items[Math.floor(random() * items.length)] as T
  const plans = Array.from(
    { length: pick(1, 1, 2, 3) },
    (_, nth): Plan => ({
      question: pick('the same', `question ${nth}`, `question ${nth}`),
      turns: Array.from({ length: pick(0, 1, 2, 3) }, () =>
        Array.from({ length: pick(1, 1, 2, 3) }, () => ({ tool: pick('lookup', 'refund', 'fails'), n: pick(1, 2) })),
      ),
      ids: pick('unique', 'repeated', 'none'),
      failures: pick(0, 0, 0, 1, 2),
      mode: pick('json', 'json', 'stream', 'leaves early'),
      paces: [pick(0, 3, 12), pick(0, 2, 9), pick(0, 0, 5, 30)],
    }),
  )
  // Who asks the same is told the same: nobody could tell the two apart.
  return plans.map((plan) => ({
    ...(plans.find(({ question }) => question === plan.question) ?? plan),
    paces: plan.paces,
  }))
}

/** Answers every agent by its plan, which the request names; fails as often as the plan says. */
export const createScript = (plans: readonly Plan[]): ((request: ReceivedRequest) => Promise<FakeReply>) => {
  const attempts = new Map<string, number>()
  return async ({ body, headers }) => {
    const { turns, failures, ids, paces } = plans[Number(headers['x-plan'])] as Plan
    await pause(paces[0])
    const turn = body.messages.filter(({ role }: { role: string }) => role === 'assistant').length
    const key = `${headers['x-plan']} ${turn}`
    const attempt = (attempts.get(key) ?? 0) + 1
    attempts.set(key, attempt)
    if (attempt <= failures)
      return chatError(attempt === 1 ? 429 : 500, { message: 'Later' }, { 'retry-after-ms': '4' })
    const calls = turns[turn]?.map(({ tool, n }, nth): Partial<ChatToolCall> => {
      const { id, ...call } = chatCall(ids === 'unique' ? `call_${turn}_${nth}` : 'call_0', tool, { n })
      return ids === 'none' ? call : { id, ...call }
    })
    const reply = calls
      ? { tool_calls: calls as ChatToolCall[] }
      : { content: `done after ${turn} turns, well and truly` }
    if (body.stream) return chatStream(reply, { pieces: 4 })
    const json = chatReply(reply)
    return typeof json === 'function' ? json({ body } as ReceivedRequest) : json
  }
}

/** Runs all plans side by side and tells everything that each agent saw. */
export const runPlans = (url: string, cassette: Cassette, plans: readonly Plan[], wrap: boolean): Promise<unknown> =>
  Promise.all(plans.map((plan, nth) => runPlan(url, cassette, plan, nth, wrap)))

async function runPlan(url: string, cassette: Cassette, plan: Plan, nth: number, wrap: boolean): Promise<unknown> {
  const [, toolPace, start] = plan.paces
  const own = {
    lookup: async ({ n }: { n: number }) => pause(toolPace * n, `found ${n}`),
    refund: ({ n }: { n: number }) => ({ refunded: n }),
    fails: async ({ n }: { n: number }) => {
      await pause(toolPace)
      throw new RangeError(`no ${n}`)
    },
  }
  const tools = wrap ? cassette.tools(own) : own
  let attempts = 0
  const client = openaiAt(url, {
    defaultHeaders: { 'x-plan': String(nth) },
    fetch: (input, init) => {
      attempts++
      return globalThis.fetch(input, init)
    },
  })
  await pause(start)
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: plan.question }]
  for (;;) {
    const outcome = await outcomeOf(ask(client, messages, plan.mode))
    if (!('value' in (outcome as object))) return { outcome, attempts }
    const { content, calls } = (outcome as { value: { content: string | null; calls: ChatToolCall[] } }).value
    if (calls.length === 0) return { content, attempts, results: messages.filter(({ role }) => role === 'tool').length }
    messages.push({ role: 'assistant', content, tool_calls: calls })
    const results = await Promise.all(
      calls.map(({ function: called }) => {
        const tool = tools[called.name as keyof typeof tools] as (input: { n: number }) => unknown
        return outcomeOf((async () => tool(JSON.parse(called.arguments)))())
      }),
    )
    for (const [at, { id }] of calls.entries()) {
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(results[at]) })
    }
  }
}

async function ask(client: OpenAI, messages: OpenAI.ChatCompletionMessageParam[], mode: Plan['mode']) {
  if (mode === 'json') {
    const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages })
    const message = choices[0]?.message
    return { content: message?.content ?? null, calls: (message?.tool_calls ?? []) as ChatToolCall[] }
  }
  const calls: ChatToolCall[] = []
  const texts: string[] = []
  for await (const { choices } of await client.chat.completions.create({ model: 'gpt-5', messages, stream: true })) {
    const delta = choices[0]?.delta
    if (delta?.content) texts.push(delta.content)
    for (const { index, id = '', function: called } of delta?.tool_calls ?? []) {
      const known = calls[index]
      if (known) known.function.arguments += called?.arguments ?? ''
      else
        calls[index] = {
          id,
          type: 'function',
          function: { name: called?.name ?? '', arguments: called?.arguments ?? '' },
        }
    }
    if (mode === 'leaves early' && texts.length === 2) break
  }
  return { content: texts.join('|') || null, calls }
}
