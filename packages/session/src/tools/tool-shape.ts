import { isJsonObject } from '@retake/trace'

/** Where a tool of an SDK keeps its function, and which of the function's arguments are the input. */
export interface ToolShape {
  readonly member: string
  inputOf(args: readonly unknown[]): unknown[]
}

/** What follows the input (call ids, contexts, signals) is the SDK's. */
const first = (args: readonly unknown[]): unknown[] => args.slice(0, 1)

interface KnownShape extends ToolShape {
  matches(tool: Readonly<Record<string, unknown>>): boolean
}

const has =
  (...members: string[]): KnownShape['matches'] =>
  (tool) =>
    members.every((member) => typeof tool[member] === 'function')

const shapes: readonly KnownShape[] = [
  // LangChain: `invoke` checks the input and makes a message of the result, which carries the id of the call.
  { member: '_call', inputOf: first, matches: has('_call', 'invoke') },
  // OpenAI Agents: `invoke(context, input, details)`, where the input is the text of the model.
  {
    member: 'invoke',
    inputOf: ([, input]) => [parsed(input)],
    matches: (tool) => tool.type === 'function' && has('invoke')(tool),
  },
  // AI SDK `tool()`, Mastra.
  { member: 'execute', inputOf: first, matches: has('execute') },
  // Anthropic `betaZodTool` and its like.
  { member: 'run', inputOf: first, matches: has('run') },
  { member: 'invoke', inputOf: first, matches: has('invoke') },
]

/** Undefined for an object that is no tool retake knows. */
export const shapeOf = (tool: object): ToolShape | undefined =>
  shapes.find(({ matches }) => matches(tool as Record<string, unknown>))

/** A tool that is only described to the model: somebody else runs it. AI SDK: `tool()` without `execute`. */
export const isOnlyDescribed = (tool: object): boolean => 'inputSchema' in tool || 'parameters' in tool

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    const value: unknown = JSON.parse(input)
    return isJsonObject(value) ? value : input
  } catch {
    return input
  }
}
