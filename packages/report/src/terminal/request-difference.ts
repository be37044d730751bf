import { type Difference, parsePath } from '@retake/compare'
import type { JsonValue, ModelInput, ToolDefinition } from '@retake/trace'
import { formatEqualAreas } from './equal-areas.ts'
import { renderMessageChanges } from './message-changes.ts'
import type { Style } from './style.ts'
import { type BlockOptions, count, limitLines, renderTextChange, renderWholeText } from './text-change.ts'
import { cutText, toLine } from './text-width.ts'
import { renderToolChange, renderWholeTool } from './tool-change.ts'
import { renderDifferences } from './value-rows.ts'

export interface RequestDifferenceOptions {
  recorded: ModelInput
  received: ModelInput
  /** From `compareRequests(recorded, received)`. */
  differences: Difference[]
  style: Style
  /** [100] */
  width?: number
  /** Lines at most. [25] */
  most?: number
}

/** A part of a request with its differences, as lines without indentation. */
interface Section {
  lines: string[]
  count: number
}

/**
 * What two requests do not have in common, part by part, ready to print: prompts line by line, schemas as an outline,
 * messages as a conversation; then what is equal.
 */
export const renderRequestDifference = (options: RequestDifferenceOptions): string => {
  const { recorded, received, differences, style, width = 100, most = 25 } = options
  const block: BlockOptions = { style, width: width - 4, most }
  const sections = toSections(recorded, received, differences, block)
  const equal = formatEqualAreas(recorded, received, differences)
  const foot = [
    ...(equal === '' ? [] : [`  ${style.dim(cutText(`equal: ${equal}`, width - 2))}`]),
    ...formatOnlyMessage(recorded, received, differences).map((line) => `  ${style.dim(line)}`),
  ]
  const body = fitSections(sections, most - foot.length - 1, style)
  return [`  ${renderLegend(style)}`, ...body.map((line) => `    ${line}`), ...foot].join('\n')
}

export const renderLegend = ({ before, after, legend }: Style): string =>
  `${before(`- ${legend.before}`)}    ${after(`+ ${legend.after}`)}`

/**
 * The differences of two requests part by part, as lines. Those in `told` were shown before and are not shown again.
 */
export const renderRequestParts = (
  recorded: ModelInput,
  received: ModelInput,
  differences: Difference[],
  told: Difference[],
  block: BlockOptions,
): string[] => toSections(recorded, received, differences, block, told).flatMap(({ lines }) => lines)

const toSections = (
  recorded: ModelInput,
  received: ModelInput,
  differences: Difference[],
  block: BlockOptions,
  told: Difference[] = [],
): Section[] => {
  const areas = Map.groupBy(differences, ({ path }) => String(parsePath(path)[0] ?? ''))
  const take = (area: string): Difference[] => {
    const own = areas.get(area) ?? []
    areas.delete(area)
    return own
  }
  const section = (own: Difference[], render: (own: Difference[]) => string[]): Section[] =>
    own.length === 0 ? [] : [{ lines: render(own), count: own.length }]
  const { style } = block
  return [
    ...section(take('model'), () => [style.title('model'), ...renderText(recorded.model, received.model, block)]),
    ...section(take('systemPrompt'), () => [
      style.title('system'),
      ...renderText(recorded.systemPrompt, received.systemPrompt, block),
    ]),
    ...toToolSections(recorded, received, take('tools'), block),
    ...sectionOf('params', take('params'), block),
    ...section(take('messages'), (own) => [
      style.title('messages'),
      ...renderMessageChanges(recorded, received, own, block, told),
    ]),
    ...[...areas].flatMap(([area, own]) => sectionOf(area, own, block)),
  ]
}

const sectionOf = (area: string, own: Difference[], block: BlockOptions): Section[] =>
  own.length === 0
    ? []
    : [
        {
          lines: [block.style.title(cutText(toLine(area), block.width)), ...renderDifferences(own, /^\w+\.?/, block)],
          count: own.length,
        },
      ]

const renderText = (before: string | undefined, after: string | undefined, block: BlockOptions): string[] =>
  before === undefined || after === undefined
    ? renderWholeText(before === undefined ? '+' : '-', before ?? after ?? '', block)
    : renderTextChange(before, after, block)

const toToolSections = (
  recorded: ModelInput,
  received: ModelInput,
  differences: Difference[],
  block: BlockOptions,
): Section[] => {
  const whole: string[] = []
  const changed = new Map<string, Difference[]>()
  for (const difference of differences) {
    const [, index, member] = parsePath(difference.path)
    if (member === undefined) whole.push(renderOneTool(difference, block))
    else {
      const tools = difference.kind === 'removed' ? recorded.tools : received.tools
      const name = tools[Number(index)]?.name ?? ''
      changed.set(name, [...(changed.get(name) ?? []), difference])
    }
  }
  const sections: Section[] = [...changed].flatMap(([name, own]) => {
    const [before, after] = [findTool(recorded, name), findTool(received, name)]
    return before && after
      ? [{ lines: renderToolChange(before, after, own, block), count: own.length }]
      : sectionOf('tools', own, block)
  })
  if (whole.length > 0) sections.push({ lines: [block.style.title('tools'), ...whole], count: whole.length })
  return sections
}

const findTool = ({ tools }: ModelInput, name: string): ToolDefinition | undefined =>
  tools.find((tool) => tool.name === name)

const renderOneTool = ({ kind, before, after }: Difference, block: BlockOptions): string =>
  renderWholeTool(kind === 'added' ? '+' : '-', (after ?? before) as JsonValue as never, block)

const fewestLines = 4

/** Every section gets its share of the lines, and what shorter ones leave over; those without room are counted. */
const fitSections = (sections: Section[], most: number, style: Style): string[] => {
  const lines: string[] = []
  let left = 0
  for (const [index, section] of sections.entries()) {
    const others = sections.length - 1 - index
    // One line is kept for the count of what has no room.
    const room = most - lines.length - (others > 0 || left > 0 ? 1 : 0)
    if (lines.length > 0 && room < Math.min(fewestLines, section.lines.length)) left += section.count
    else {
      const share = Math.max(fewestLines, Math.floor(room / (others + 1)))
      // Where the count of two lines would stand, there is room for one of them: one more is as good.
      const isNearlyAll = section.lines.length === share + 1 && section.lines.length <= room
      lines.push(...(isNearlyAll ? section.lines : limitLines(section.lines, share, style)))
    }
  }
  if (left > 0) lines.push(style.dim(`… ${count(left, 'more difference')}`))
  return lines
}

/** A sentence for the commonest case of all: the agent sent one message more, or less. */
const formatOnlyMessage = (recorded: ModelInput, received: ModelInput, differences: Difference[]): string[] => {
  const [only, ...others] = differences
  if (!only || others.length > 0 || only.kind === 'changed') return []
  const [area, index, member] = parsePath(only.path)
  if (area !== 'messages' || typeof index !== 'number' || member !== undefined) return []
  const total = (only.kind === 'added' ? received : recorded).messages.length
  const last = index === total - 1
  return [
    `The ${only.kind === 'added' ? 'extra' : 'missing'} message is at position ${index + 1} of ${total}. ` +
      `Everything ${last ? 'before it' : 'else'} is equal.`,
  ]
}
