import type { ToolDefinition } from '@retake/trace'
import { collectDifferences } from './compare-values.ts'
import type { Difference } from './difference.ts'

/** Tools are aligned by name; their order is no difference. Indexes are those of the two requests as given. */
export const compareTools = (before: ToolDefinition[], after: ToolDefinition[], differences: Difference[]): void => {
  const [recorded, received] = [groupByName(before), groupByName(after)]
  for (const name of new Set([...received.keys(), ...recorded.keys()])) {
    const [ones, others] = [recorded.get(name) ?? [], received.get(name) ?? []]
    for (let nth = 0; nth < Math.max(ones.length, others.length); nth++) {
      const [one, other] = [ones[nth], others[nth]]
      const place = { before: ['tools', one?.index ?? 0], after: ['tools', other?.index ?? 0] }
      collectDifferences(one?.tool, other?.tool, place, differences)
    }
  }
}

interface Indexed {
  index: number
  tool: ToolDefinition
}

const groupByName = (tools: ToolDefinition[]): Map<string, Indexed[]> => {
  const groups = new Map<string, Indexed[]>()
  for (const [index, tool] of tools.entries()) {
    const entry = { index, tool: { ...tool, description: tool.description ?? '' } }
    const group = groups.get(tool.name)
    if (group) group.push(entry)
    else groups.set(tool.name, [entry])
  }
  for (const group of groups.values()) group.sort((one, other) => compareKinds(one.tool, other.tool))
  return groups
}

const compareKinds = (one: ToolDefinition, other: ToolDefinition): number =>
  compareText(one.kind ?? '', other.kind ?? '')

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The order of tools in a comparable request: by name, two of one name by kind. */
export const sortTools = (tools: ToolDefinition[]): ToolDefinition[] =>
  tools
    .map((tool) => ({ ...tool, description: tool.description ?? '' }))
    .sort((one, other) => compareText(one.name, other.name) || compareKinds(one, other))
