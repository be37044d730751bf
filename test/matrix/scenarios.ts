/** What a model may say in one reply; every wire says it in its own shape. */
export interface Scenario {
  thinking?: string
  text?: string
  refusal?: string
  calls?: ScenarioCall[]
  stop: 'end' | 'tools' | 'length' | 'filter' | 'refusal'
}

export interface ScenarioCall {
  name: string
  input: Record<string, unknown>
}

const weather: ScenarioCall = { name: 'get_weather', input: { city: 'Paris' } }
const time: ScenarioCall = { name: 'get_time', input: {} }

export const scenarios = {
  text: { text: 'Hello 🙂 there, wörld.', stop: 'end' },
  call: { calls: [weather], stop: 'tools' },
  'two calls': { calls: [weather, time], stop: 'tools' },
  'text and calls': { text: 'Let me look.', calls: [weather, time], stop: 'tools' },
  refusal: { refusal: 'I cannot help with that.', stop: 'refusal' },
  length: { text: 'Half a sen', stop: 'length' },
  thinking: { thinking: 'The user greets me.', text: 'Hi!', stop: 'end' },
  'thinking, text and call': { thinking: 'Need the weather.', text: 'Checking.', calls: [weather], stop: 'tools' },
  filter: { text: 'Part', stop: 'filter' },
  empty: { stop: 'end' },
} satisfies Record<string, Scenario>
