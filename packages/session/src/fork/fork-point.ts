import { relative } from 'node:path'
import { ConfigError, type ToolResultPayload, type Trace, type TraceStep } from '@retake/trace'
import type { ForkOptions } from './fork-options.ts'

/**
 * The step at which a run goes another way.
 * @param from path of the parent, for messages
 * @throws ConfigError for a selector that finds nothing, and for a step at which nothing can change
 */
export function findForkPoint(trace: Trace, { at, set, setError }: ForkOptions, from: string): TraceStep {
  const parent = relative(process.cwd(), from)
  const point = findStep(trace, at, parent)
  const { index, type } = point
  const fail = (what: string): never => {
    throw wrong(`${what}\n  parent  ${parent}`, index)
  }
  // Trace format page, "Fork-Point Semantics by Step Type": terminal markers have no meaningful continuation.
  if (type === 'metadata') return fail(`fork.at is step ${index}, a metadata step, from which no run goes on`)
  if (set !== undefined && setError !== undefined)
    return fail('a tool gives a result or throws: fork.set or fork.setError')
  if ((set !== undefined || setError !== undefined) && type !== 'tool_result') {
    return fail(`fork.at is step ${index}, a ${type}, which has no result to set`)
  }
  return point
}

function findStep(trace: Trace, at: ForkOptions['at'], parent: string): TraceStep {
  const { steps } = trace
  if (typeof at === 'number') {
    const step = Number.isInteger(at) ? steps[at] : undefined
    if (step) return step
    throw wrong(
      `fork.at is the index of one of the ${steps.length} steps of its parent, not ${at}\n  parent  ${parent}`,
    )
  }
  if (!isSelector(at)) throw wrong('fork.at must be the index of a step, toolResult(name, nth?) or modelInput(nth)')
  const { type, nth } = at
  const all = steps.filter((step) => step.type === type)
  const found = type === 'tool_result' ? all.filter((step) => toolOf(step) === at.toolName) : all
  const step = found[nth - 1]
  if (step) return step
  const asked = type === 'tool_result' ? `toolResult(${JSON.stringify(at.toolName)}, ${nth})` : `modelInput(${nth})`
  const there = type === 'tool_result' ? listTools(all) : `${all.length} requests`
  throw wrong(`fork.at is ${asked}, but its parent has ${there}\n  parent  ${parent}${unwrapped(trace, all)}`)
}

const isSelector = (at: unknown): boolean => {
  const { type, nth, toolName } = Object(at) as Record<string, unknown>
  const isKnown = type === 'model_input' || (type === 'tool_result' && typeof toolName === 'string')
  return isKnown && Number.isInteger(nth) && (nth as number) >= 1
}

const toolOf = ({ payload }: TraceStep): string => (payload as ToolResultPayload).toolName

function listTools(results: readonly TraceStep[]): string {
  const counts = new Map<string, number>()
  for (const step of results) counts.set(toolOf(step), (counts.get(toolOf(step)) ?? 0) + 1)
  const listed = [...counts].map(([name, count]) => (count > 1 ? `${count} of ${name}` : `one of ${name}`))
  return listed.length > 0 ? `these results: ${listed.join(', ')}` : 'no tool results'
}

const unwrapped = ({ steps }: Trace, results: readonly TraceStep[]): string =>
  results.length === 0 && steps.length > 0
    ? '\n  Results are recorded of tools that went through `cassette.tools()`; record the parent with them.'
    : ''

const wrong = (message: string, step?: number): ConfigError =>
  new ConfigError(message, { option: 'fork', ...(step !== undefined && { step }) })
