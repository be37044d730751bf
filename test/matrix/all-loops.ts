import { agentsLoops } from './loops/agents.ts'
import { aiSdkLoops } from './loops/ai-sdk.ts'
import { anthropicLoops } from './loops/anthropic.ts'
import { genaiLoops } from './loops/genai.ts'
import { langchainLoops } from './loops/langchain.ts'
import type { Loop } from './loops/loop.ts'
import { openaiLoops } from './loops/openai.ts'
import type { Scenario } from './scenarios.ts'

/** The agents that users write, with the SDKs they write them with. */
export const loops: Record<string, Loop> = {
  ...openaiLoops,
  ...anthropicLoops,
  ...genaiLoops,
  ...aiSdkLoops,
  ...langchainLoops,
  ...agentsLoops,
}

/** What the model of such an agent says first. */
export const asks: Scenario = {
  thinking: 'Weather and time.',
  text: 'Let me look.',
  calls: [
    { name: 'get_weather', input: { city: 'Paris' } },
    { name: 'get_time', input: {} },
  ],
  stop: 'tools',
}

/** What it says when it has the results. */
export const answers: Scenario = { text: 'It is 18 °C, at an unknown hour.', stop: 'end' }
