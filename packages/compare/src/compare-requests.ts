import type { ModelInput } from '@retake/trace'
import { toComparable } from './comparable.ts'
import { compareMessages } from './compare-messages.ts'
import { compareTools } from './compare-tools.ts'
import { collectDifferences } from './compare-values.ts'
import type { Difference } from './difference.ts'
import { equalJson } from './equal-json.ts'
import { withoutIgnored } from './ignore.ts'

/** What does not count when two requests are compared. */
export interface CompareOptions {
  /** Request paths that are not compared: `params.temperature`, `messages[0].content`, `tools[*].description`. */
  ignore?: readonly string[]
}

/** `equalRequests` for two values that come from `toComparable`. */
export const equalComparable = (before: ModelInput, after: ModelInput): boolean =>
  before.messages.length === after.messages.length &&
  before.model === after.model &&
  before.systemPrompt === after.systemPrompt &&
  equalJson(before.messages.at(-1), after.messages.at(-1)) &&
  equalJson(before, after)

/** True if two requests ask a model the same thing. Stops at the first difference. */
export const equalRequests = (before: ModelInput, after: ModelInput): boolean =>
  equalComparable(toComparable(before), toComparable(after))

/**
 * All differences between a recorded and a received request, none exactly when they ask a model the same thing. Indexes in a path
 * count in the received request, for `removed` in the recorded one.
 * @throws ConfigError for an ignore pattern that is no path
 */
export const compareRequests = (before: ModelInput, after: ModelInput, options: CompareOptions = {}): Difference[] => {
  const [recorded, received] = [withoutIgnored(before, options.ignore), withoutIgnored(after, options.ignore)]
  const [one, other] = [toComparable(recorded), toComparable(received)]
  if (equalComparable(one, other)) return []
  const differences: Difference[] = []
  compareMembers(one, other, differences)
  compareTools(recorded.tools, received.tools, differences)
  compareMessages(recorded.messages, received.messages, differences)
  return differences
}

const firstMembers = ['model', 'systemPrompt', 'params']
const ownComparison = new Set(['messages', 'tools'])

// A request without controls has none of each, so that each one gets its own path.
const withControls = (request: ModelInput): [string, unknown][] =>
  Object.entries({ ...request, params: { ...request.params, other: request.params?.other ?? {} } })

// Everything but messages and tools.
const compareMembers = (before: ModelInput, after: ModelInput, differences: Difference[]): void => {
  const one = new Map<string, unknown>(withControls(before))
  const other = new Map<string, unknown>(withControls(after))
  for (const key of new Set([...firstMembers, ...one.keys(), ...other.keys()])) {
    if (ownComparison.has(key)) continue
    collectDifferences(one.get(key), other.get(key), { before: [key], after: [key] }, differences)
  }
}
