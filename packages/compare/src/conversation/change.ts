import type { JsonValue } from '@retake/trace'

/**
 * What kind of thing changed, weightiest first. The first group is what the agent does, the second what it is asked and
 * given; `other` is a difference of the files that the conversation does not show.
 */
export const behaviorAreas = ['outcome', 'call', 'argument', 'answer', 'reply', 'attempt'] as const
export const requestAreas = ['model', 'system', 'tool', 'param', 'message', 'result', 'other'] as const

export type BehaviorArea = (typeof behaviorAreas)[number]
export type RequestArea = (typeof requestAreas)[number]

/** One thing that a conversation has otherwise than before. */
export interface Change<Area extends string = BehaviorArea | RequestArea> {
  area: Area
  /** `refund`, `refund.amount`, `temperature`, `user`; empty where the area says it all. */
  name: string
  kind: 'added' | 'removed' | 'changed'
  /** Absent for `added`. */
  before?: JsonValue
  /** Absent for `removed`. */
  after?: JsonValue
}

/** Equal for changes that say the same, in whatever conversation. */
export const changeKey = ({ area, name, kind, before, after }: Change): string =>
  JSON.stringify([area, name, kind, before, after])
