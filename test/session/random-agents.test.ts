import { expect, test } from 'vitest'
import { createPlans, createRandom, createScript, runPlans } from './random-agents.ts'
import { recordAndReplay } from './record-and-replay.ts'

/** `RANDOM_AGENTS=first,count` tries others, and more of them. */
const [first = 1, count = 25] = (process.env.RANDOM_AGENTS ?? '').split(',').filter(Boolean).map(Number)

test.each(Array.from({ length: count }, (_, nth) => first + nth))(
  'agents of random habits see in a replay what they saw in the recording (%i)',
  async (seed) => {
    const random = createRandom(seed)
    const plans = createPlans(random)
    const wraps = random() < 0.7
    const { recorded, replayed } = await recordAndReplay(createScript(plans), (url, cassette) =>
      runPlans(url, cassette, plans, wraps),
    )
    expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
    expect(replayed.value).toEqual(recorded.value)
    expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  },
)
