import { type Model, run } from '@openai/agents'
import { agentModels } from '../clients/agents.ts'
import { brokenClock, question, weatherIn } from '../tools.ts'
import { weatherAgent } from '../weather-agent.ts'
import type { Loop } from './loop.ts'

const agent = (model: Model) => weatherAgent(model, { weather: weatherIn, time: brokenClock })

export const agentsLoops: Record<string, Loop> = Object.fromEntries(
  Object.entries(agentModels).map(([name, model]) => [
    `agents, ${name}`,
    async (url: string) => {
      const { finalOutput, newItems, rawResponses } = await run(agent(model(url)), question)
      return {
        finalOutput,
        items: newItems.map(({ rawItem }) => rawItem),
        usage: rawResponses.map(({ usage }) => usage),
      }
    },
  ]),
)
