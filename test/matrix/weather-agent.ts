import { Agent, type Model, tool } from '@openai/agents'
import { z } from 'zod'

/** An agent with the two tools of the matrix. `weather` and `time` are what they give. */
export const weatherAgent = (
  model: Model,
  tools: { weather: (input: unknown) => string; time: () => string },
  options: { toolUseBehavior?: 'stop_on_first_tool' } = {},
) =>
  new Agent({
    name: 'weather',
    instructions: 'Be brief.',
    model,
    tools: [
      tool({
        name: 'get_weather',
        description: 'Tells the weather.',
        parameters: z.object({ city: z.string() }),
        execute: async (input) => tools.weather(input),
      }),
      tool({
        name: 'get_time',
        description: 'Tells the time.',
        parameters: z.object({}),
        execute: async () => tools.time(),
      }),
    ],
    ...options,
  })
