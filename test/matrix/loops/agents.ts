import { Agent, type Model, run, tool } from '@openai/agents'
import { z } from 'zod'
import { agentModels } from '../clients/agents.ts'
import { brokenClock, question, weatherIn } from '../tools.ts'
import type { Loop } from './loop.ts'

const agent = (model: Model) =>
  new Agent({
    name: 'weather',
    instructions: 'Be brief.',
    model,
    tools: [
      tool({
        name: 'get_weather',
        description: 'Tells the weather.',
        parameters: z.object({ city: z.string() }),
        execute: async (input) => weatherIn(input),
      }),
      tool({
        name: 'get_time',
        description: 'Tells the time.',
        parameters: z.object({}),
        execute: async () => brokenClock(),
      }),
    ],
  })

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
