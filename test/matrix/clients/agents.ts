import {
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  type RunItem,
  run,
  setTracingDisabled,
} from '@openai/agents'
import OpenAI from 'openai'
import { type Ask, call, collect, type Seen } from '../seen.ts'
import { apiKey, question } from '../tools.ts'
import { weatherAgent } from '../weather-agent.ts'

setTracingDisabled(true)

const client = (url: string) => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })

export const agentModels: Record<string, (url: string) => Model> = {
  Responses: (url) => new OpenAIResponsesModel(client(url), 'gpt-5'),
  chat: (url) => new OpenAIChatCompletionsModel(client(url), 'gpt-5'),
}

// One request a run: what the tool gives is the answer.
const agent = (model: Model) =>
  weatherAgent(model, { weather: () => 'sunny', time: () => 'noon' }, { toolUseBehavior: 'stop_on_first_tool' })

const seenIn = (result: { finalOutput?: unknown; newItems: RunItem[]; rawResponses: unknown[] }, rest = {}): Seen => ({
  text: result.newItems.map((item) => (item.type === 'message_output_item' ? item.content : '')).join(''),
  calls: result.newItems.flatMap(({ rawItem }) =>
    rawItem?.type === 'function_call' ? [call(rawItem.name, rawItem.arguments)] : [],
  ),
  finalOutput: result.finalOutput,
  items: result.newItems.map(({ rawItem }) => rawItem),
  usage: result.rawResponses.map((response) => (response as { usage?: unknown }).usage),
  ...rest,
})

const once =
  (model: (url: string) => Model): Ask =>
  async (url) =>
    seenIn(await run(agent(model(url)), question, { maxTurns: 1 }))

const streamed =
  (model: (url: string) => Model): Ask =>
  async (url) => {
    const result = await run(agent(model(url)), question, { maxTurns: 1, stream: true })
    const events = await collect(result)
    await result.completed
    const texts = events.flatMap((event) =>
      event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta' ? [event.data.delta] : [],
    )
    return seenIn(result, { deltas: texts.filter((text) => text !== '') })
  }

export const agentsAsks: Record<string, Ask> = Object.fromEntries(
  Object.entries(agentModels).flatMap(([name, model]) => [
    [`agents run, ${name}`, once(model)],
    [`agents run streaming, ${name}`, streamed(model)],
  ]),
)
