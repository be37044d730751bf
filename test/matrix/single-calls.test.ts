import { describe, expect, test } from 'vitest'
import { outcomeOf, recordAndReplay } from '../session/record-and-replay.ts'
import { asks } from './asks.ts'
import { says } from './replies.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { toComparable } from './to-comparable.ts'

/** What the client itself makes an error of, by client and scenario. */
const failures: Record<string, Record<string, string>> = {
  'agents run, Responses': {
    refusal: 'ModelRefusalError',
    length: 'ModelBehaviorError',
    filter: 'ModelBehaviorError',
    empty: 'MaxTurnsExceededError',
  },
  'agents run streaming, Responses': {
    refusal: 'ModelRefusalError',
    length: 'ModelBehaviorError',
    filter: 'ModelBehaviorError',
    empty: 'MaxTurnsExceededError',
  },
  'agents run, chat': { refusal: 'ModelRefusalError' },
  'agents run streaming, chat': { refusal: 'ModelRefusalError', empty: 'MaxTurnsExceededError' },
}

/** Some wires and clients have no refusals: there it is the text. */
const textsOf = ({ text = '', refusal = '' }: Scenario): string[] => [text, refusal]

describe.each(Object.entries(asks))('%s', (client, ask) => {
  test.each(Object.entries<Scenario>(scenarios))('%s', async (name, scenario) => {
    const { recorded, replayed } = await recordAndReplay([says(scenario)], (url) => outcomeOf(ask(url)))
    expect(recorded.result).toMatchObject({ kind: 'recorded', liveCalls: 1, errors: [] })
    expect(replayed.result).toMatchObject({ kind: 'replayed', liveCalls: 0, replayedCalls: 1, unused: 0, errors: [] })
    expect(toComparable(replayed.value)).toEqual(toComparable(recorded.value))
    const failure = failures[client]?.[name]
    expect(recorded.value).toMatchObject(
      failure
        ? { error: { class: failure } }
        : {
            value: {
              text: expect.toBeOneOf(textsOf(scenario)),
              calls: (scenario.calls ?? []).map((made) => [made.name, JSON.stringify(made.input)]),
            },
          },
    )
  })
})
