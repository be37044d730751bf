import { CURRENT_TRACE_VERSION, type Trace } from '@retake/trace'
import { runBuiltInAgent } from './built-in-agent.ts'
import { shopAgent } from './shop-agent.ts'

const prompts = {
  success: 'Where is my order A-77?',
  error: 'Please wrap my order A-77 as a gift.',
}

export type Scenario = keyof typeof prompts
export const scenarios = Object.keys(prompts) as Scenario[]

/** A clock that goes on by 100 ms whenever it is asked. */
const createTicks = (start: number) => {
  let time = start
  return () => {
    time += 100
    return time
  }
}

/** @param createdAt milliseconds since the epoch */
export const recordScenario = (scenario: Scenario, createdAt: number): Trace =>
  runBuiltInAgent(
    shopAgent,
    { version: CURRENT_TRACE_VERSION, id: `demo-${scenario}`, createdAt, steps: [] },
    prompts[scenario],
    createTicks(createdAt),
  )

/** Goes on with a fork of such a run; undefined for the run of another agent. */
export const continueScenario = (fork: Trace): Trace | undefined => {
  const input = fork.steps.findLast(({ type }) => type === 'model_input')?.payload as { model?: unknown } | undefined
  if (input?.model !== shopAgent.model) return undefined
  return runBuiltInAgent(shopAgent, fork, prompts.success, createTicks(Date.now()))
}
