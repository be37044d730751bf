import type { ModelInput } from '@retake/trace'
import { sortTools } from './compare-tools.ts'
import { joinTurn, toMessage, toTurns } from './turns.ts'

/**
 * The form in which two requests are compared. Equal forms mean that the model is asked the same thing: ids of tool
 * calls, the way text is split into blocks and messages, the order of tools and of object members are gone; everything
 * else stays. Idempotent; shares values with its argument. (Trace format page, "What replay compares".)
 */
export const toComparable = (request: ModelInput): ModelInput => {
  const { messages, tools, params, ...others } = request
  const comparable: ModelInput = {
    ...definedMembers(others),
    messages: toTurns(messages ?? []).map((turn) => toMessage(joinTurn(turn))),
    tools: sortTools(tools ?? []),
  }
  const controls = params && definedMembers(params)
  if (controls && Object.keys(controls).length > 0) comparable.params = controls
  return comparable
}

/** A control that is null asks for the default, as one that is absent does. */
const definedMembers = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as T
