import { compareRequests, formatDifference } from '@retake/compare'
import type { ModelInput } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { outcomeOf, recordAndReplay } from '../session/record-and-replay.ts'
import { asks } from './asks.ts'
import { aiSdkLoops } from './loops/ai-sdk.ts'
import { anthropicLoops } from './loops/anthropic.ts'
import { genaiLoops } from './loops/genai.ts'
import { langchainLoops } from './loops/langchain.ts'
import type { Loop } from './loops/loop.ts'
import { openaiLoops } from './loops/openai.ts'
import { says } from './replies.ts'
import type { Scenario } from './scenarios.ts'

/** The SDKs of one provider write the same conversation in other words; retake reads them as one. */

const asking: Record<string, RegExp> = {
  'chat completions': /^openai chat|openai\.chat$|^langchain ChatOpenAI\.(invoke|stream)$/,
  responses: /^openai responses|openai\.responses$|ChatOpenAI, Responses/,
  messages: /^anthropic|anthropic$|ChatAnthropic/,
  generateContent: /^genai|google$|ChatGoogle/,
}

/** Each SDK asks for as many tokens as it likes where the user does not say. */
const unasked = ({ params, ...request }: ModelInput): ModelInput => {
  const { maxTokens: _, ...others } = params ?? {}
  return { ...request, ...(Object.keys(others).length > 0 && { params: others }) }
}

async function requestsOf(run: Loop, replies: readonly Scenario[]): Promise<ModelInput[]> {
  const script = replies.map((reply, turn) => says(reply, turn))
  const { recorded } = await recordAndReplay(script, async (url, cassette) => {
    await outcomeOf(run(url))
    return cassette.trace
  })
  return recorded.value.steps.flatMap(({ type, payload }) =>
    type === 'model_input' ? [payload as unknown as ModelInput] : [],
  )
}

/** For every pair what differs, in words. */
const differences = (first: ModelInput, others: readonly ModelInput[]): string[] =>
  others.flatMap((other) => compareRequests(first, other).map((difference) => formatDifference(difference)))

describe.each(Object.entries(asking))('%s', (_, names) => {
  const clients = Object.entries(asks).filter(([name]) => names.test(name))

  test('a question with tools is one request', async () => {
    expect(clients.length).toBeGreaterThanOrEqual(6)
    const all = await Promise.all(
      clients.map(async ([, ask]) => (await requestsOf(ask, [{ text: 'Fine.', stop: 'end' }])).map(unasked)),
    )
    const [first, ...others] = all.flat() as [ModelInput, ...ModelInput[]]
    expect(first.tools).toHaveLength(2)
    expect(others).toHaveLength(clients.length - 1)
    expect(differences(first, others)).toEqual([])
  })
})

const call: Scenario = { calls: [{ name: 'get_weather', input: { city: 'Paris' } }], stop: 'tools' }

/** Google's tools answer with an object, and each SDK names its member by itself; so genai's own loops only. */
const loops: Record<string, Record<string, Loop | undefined>> = {
  'chat completions': {
    ...openaiLoops,
    ai: aiSdkLoops['ai generateText, openai.chat'],
    langchain: langchainLoops['langchain ChatOpenAI'],
  },
  responses: {
    ai: aiSdkLoops['ai generateText, openai.responses'],
    stateless: aiSdkLoops['ai generateText, openai.responses without store'],
    langchain: langchainLoops['langchain ChatOpenAI, Responses'],
  },
  messages: {
    ...anthropicLoops,
    ai: aiSdkLoops['ai generateText, anthropic'],
    langchain: langchainLoops['langchain ChatAnthropic'],
  },
  generateContent: genaiLoops,
}

test.each(Object.entries(loops))('%s: the history with a call and its result is one', async (_, sdks) => {
  const histories = await Promise.all(
    Object.values(sdks).map(async (loop) => {
      const [, second] = await requestsOf(loop as Loop, [call, { text: 'Fine.', stop: 'end' }])
      return { messages: second?.messages ?? [], model: 'any' } as ModelInput
    }),
  )
  const [first, ...others] = histories as [ModelInput, ...ModelInput[]]
  expect(first.messages).toHaveLength(3)
  expect(differences(first, others)).toEqual([])
})
