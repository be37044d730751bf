import { diffTraces } from '@retake/compare'
import { toolResult } from '@retake/session'
import { loadTrace, type Trace, terminalOutcome, verifyFile } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { answers, asks } from '../matrix/all-loops.ts'
import { says } from '../matrix/replies.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { type Doing, wrappedAgents } from './wrapped-agents.ts'

const nowhere = 'http://127.0.0.1:9'

const working = (ran: string[] = []): Doing => ({
  get_weather({ city }) {
    ran.push('get_weather')
    return `18 °C in ${city}`
  },
  get_time() {
    ran.push('get_time')
    return 'noon'
  },
})

/** The tool steps of a run, without ids and times. */
const toolSteps = ({ steps }: Trace) =>
  steps
    .filter(({ type }) => type === 'tool_call' || type === 'tool_result')
    .map(({ payload }) => {
      const { toolCallId: _, ...rest } = Object(payload)
      return rest
    })

describe('tools of an SDK are recorded with their input, and do not run in the replay', () => {
  test.each(Object.entries(wrappedAgents))('%s', async (_, agent) => {
    await using file = await temporaryCassette()
    const provider = await startFakeProvider({ replies: [says(asks), says(answers, 1)] })
    const recorded = await inTest(file.path, {}, (cassette) => agent(provider.url, cassette, working()))
    await provider.stop()
    expect(recorded).toMatchObject({ value: answers.text, result: { kind: 'recorded', errors: [] } })
    expect(toolSteps(loadTrace(file.path))).toMatchObject([
      { toolName: 'get_weather', toolInput: { city: 'Paris' } },
      { toolName: 'get_weather', result: '18 °C in Paris' },
      { toolName: 'get_time', toolInput: {} },
      { toolName: 'get_time', result: 'noon' },
    ])
    const ran: string[] = []
    const replayed = await inTest(file.path, {}, (cassette) => agent(nowhere, cassette, working(ran)))
    expect(replayed).toMatchObject({ value: answers.text, result: { kind: 'replayed', errors: [], unused: 0 } })
    expect(ran).toEqual([])
  })
})

describe('a tool of an SDK that fails fails in the replay too, with name and message', () => {
  test.each(Object.entries(wrappedAgents))('%s', async (_, agent) => {
    const broken: Doing = {
      ...working(),
      get_time() {
        throw new RangeError('the clock is broken')
      },
    }
    await using file = await temporaryCassette()
    const provider = await startFakeProvider({ replies: [says(asks), says(answers, 1)] })
    await inTest(file.path, {}, (cassette) => agent(provider.url, cassette, broken))
    await provider.stop()
    const { value, result } = await inTest(file.path, {}, (cassette) => agent(nowhere, cassette, working()))
    expect({ value, result }).toMatchObject({ value: answers.text, result: { kind: 'replayed', errors: [] } })
    // OpenAI Agents turns it into a text of its own.
    expect(JSON.stringify(loadTrace(file.path))).toMatch(/the clock is broken|error occurred while running the tool/i)
  })
})

describe('one cassette is forked through every SDK, and each child diverges at the fork point', () => {
  test.each(Object.entries(wrappedAgents))('%s', async (name, agent) => {
    await using file = await temporaryCassette()
    const provider = await startFakeProvider({
      replies: [says({ ...asks, thinking: undefined as never }), says(answers, 1)],
    })
    await inTest(
      file.path,
      {},
      (cassette) => wrappedAgents['openai chat']?.(provider.url, cassette, working()) as Promise<unknown>,
    )
    await provider.stop()
    const options = {
      fork: { at: toolResult('get_weather'), set: 'hail', then: [{ toolName: 'get_time' }, 'Stay inside.'] },
      // What else an SDK sends, and with which model it is used here.
      ignore: ['model', 'params', 'tools', 'systemPrompt'],
    }
    const ran: string[] = []
    const forked = await inTest(file.path, options, (cassette) => agent(nowhere, cassette, working(ran)))
    expect([name, forked.value, forked.result.kind, forked.result.errors]).toEqual([
      name,
      'Stay inside.',
      'recorded',
      [],
    ])
    expect(ran).toEqual(['get_time', 'get_time'])
    const [parent, child] = [loadTrace(file.path), loadTrace(forked.cassette.path)]
    expect(diffTraces(parent, child).firstDivergenceIndex).toBe(3)
    expect(verifyFile(forked.cassette.path).pass).toBe(true)
    expect(terminalOutcome(child)).toEqual({ status: 'success', result: 'Stay inside.' })
    const again = await inTest(file.path, options, (cassette) => agent(nowhere, cassette, working()))
    expect(again).toMatchObject({ value: 'Stay inside.', result: { kind: 'replayed', errors: [], unused: 0 } })
  })
})
