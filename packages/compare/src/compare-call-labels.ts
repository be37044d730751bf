import { formatPath, type JsonPath, type MessagePart } from '@retake/trace'
import type { Difference } from './difference.ts'

/** Two parts found to stand for one another: both calls, or both results. `path` is that of the received one. */
export interface LinkedParts {
  kind: 'tool_use' | 'tool_result'
  before: string
  after: string
  path: JsonPath
}

export const linkParts = (before: MessagePart, after: MessagePart, path: JsonPath): LinkedParts[] =>
  (before.type === 'tool_use' && after.type === 'tool_use') ||
  (before.type === 'tool_result' && after.type === 'tool_result')
    ? [{ kind: before.type, before: before.toolCallId, after: after.toolCallId, path }]
    : []

/**
 * Results that answer another call than the recorded ones did. The calls tell which recorded label a received one stands
 * for, so a call inserted earlier changes nothing.
 */
export const compareCallLabels = (links: LinkedParts[], differences: Difference[]): void => {
  const recordedOf = new Map<string, string>()
  const taken = new Set<string>()
  const relate = (link: LinkedParts): void => {
    recordedOf.set(link.after, link.before)
    taken.add(link.before)
  }
  for (const link of links) if (link.kind === 'tool_use') relate(link)
  for (const link of links) {
    if (link.kind === 'tool_use') continue
    const recorded = recordedOf.get(link.after)
    if (recorded === link.before) continue
    // Both calls are outside what could be paired (trimmed history, or a difference of their own): pair them here.
    if (recorded === undefined && !taken.has(link.before)) relate(link)
    else {
      differences.push({
        path: formatPath([...link.path, 'toolCallId']),
        kind: 'changed',
        before: link.before,
        after: recorded ?? link.after,
      })
    }
  }
}
