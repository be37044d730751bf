import { type Difference, equalJson } from '@retake/compare'
import { isJsonObject, type JsonValue } from '@retake/trace'
import { renderChangedWords } from './changed-words.ts'
import { renderLegend } from './request-difference.ts'
import type { Style } from './style.ts'
import { count } from './text-change.ts'
import { cutText, padText, textWidth, toLine } from './text-width.ts'
import { formatJson } from './value-rows.ts'

export interface ToolDifferenceOptions {
  tool: string
  /** Arguments as recorded and as received now; what they have in common is named where both are given. */
  recorded?: JsonValue
  received?: JsonValue
  /** What the model's recorded reply asked for. */
  asked?: JsonValue | undefined
  /** What is compared: the arguments of the call, or what the tool gave. ['arguments'] */
  of?: 'arguments' | 'result'
  /** From `compareValues(recorded, received)`. */
  differences: Difference[]
  style: Style
  /** [100] */
  width?: number
  /** Lines at most. [25] */
  most?: number
}

const widestName = 32

const whoGave = "With tools: 'run' the tool runs, and has to give what is recorded."

/**
 * The arguments with which a tool was called otherwise than recorded, and a sentence that says who asked for what; or
 * what the tool gave otherwise.
 */
export const renderToolDifference = (options: ToolDifferenceOptions): string => {
  const { differences, recorded, received, asked, of = 'arguments', style, width = 100, most = 25 } = options
  const names = differences.map(({ path }) => cutText(toLine(path === '' ? '(all)' : path), widestName))
  const column = Math.max(0, ...names.map(textWidth))
  const blocks = differences.map((difference, index) =>
    renderArgument(names[index] ?? '', difference, column, style, width - 4),
  )
  const lines = blocks.flat()
  const room = most - 4
  const shown = lines.length > room ? lines.slice(0, room) : lines
  const hidden = blocks.length - shown.filter((line) => !line.startsWith(' ')).length
  const equal = formatEqualArguments(recorded, received)
  const isAsked = asked !== undefined && recorded !== undefined && equalJson(asked, recorded)
  const who = of === 'result' ? [whoGave] : formatWho(width - 2, differences[0], isAsked)
  return [
    `  ${renderLegend(style)}`,
    ...shown.map((line) => `    ${line}`),
    ...(hidden > 0 ? [`    ${style.dim(`… ${count(hidden, 'more difference')}`)}`] : []),
    ...(equal === '' ? [] : [`    ${style.dim(`equal: ${equal}`)}`]),
    ...who.map((line) => `  ${cutText(line, width - 2)}`),
  ].join('\n')
}

const renderArgument = (
  name: string,
  { kind, before, after }: Difference,
  column: number,
  style: Style,
  width: number,
): string[] => {
  const room = width - column - 4
  const [old, young] = renderChangedWords(formatJson(before), formatJson(after), style, room)
  const head = `${padText(name, column)}  `
  const blank = ' '.repeat(column + 2)
  if (kind === 'added') return [head + style.after(`+ ${young}`)]
  if (kind === 'removed') return [head + style.before(`- ${old}`)]
  return [head + style.before(`- ${old}`), blank + style.after(`+ ${young}`)]
}

const formatEqualArguments = (recorded: JsonValue | undefined, received: JsonValue | undefined): string => {
  if (!isJsonObject(recorded) || !isJsonObject(received)) return ''
  return Object.keys(received)
    .filter((key) => Object.hasOwn(recorded, key) && formatJson(recorded[key]) === formatJson(received[key]))
    .map(toLine)
    .join(', ')
}

/** Replay knows both sides: what the model asked for is recorded, what the code did is received. */
const formatWho = (width: number, difference: Difference | undefined, isAsked: boolean): string[] => {
  if (!difference) return []
  const { path, kind, before, after } = difference
  const name = path === '' ? '' : `${toLine(path)} `
  const asked = kind === 'added' ? `without ${name}` : `with ${name}${formatShort(before)}`
  const called = kind === 'removed' ? `without ${name}` : `with ${kind === 'added' ? name : ''}${formatShort(after)}`
  const recorded = isAsked
    ? `The model's recorded reply asked for a call ${asked.trimEnd()};`
    : `Recorded was a call ${asked.trimEnd()};`
  const received = `your code called the tool ${called.trimEnd()}.`
  const whole = `${recorded} ${received}`
  return textWidth(whole) <= width ? [whole] : [recorded, received]
}

const formatShort = (value: JsonValue | undefined): string => cutText(toLine(formatJson(value)), 40)
