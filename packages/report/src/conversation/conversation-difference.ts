import type { Utterance, UtterancePair } from '@retake/compare'
import type { JsonObject, JsonValue } from '@retake/trace'
import { roleWidth } from '../terminal/message-rows.ts'
import type { Style } from '../terminal/style.ts'
import { count, limitLines, renderSigned, type SignedLine, toTextChange } from '../terminal/text-change.ts'
import { cutText, padText, toLine, wrapText } from '../terminal/text-width.ts'
import { clipText, clipTexts } from './clip-texts.ts'
import { roleOf, toUtteranceRow } from './utterance-row.ts'
import { layOut, toUtteranceText } from './utterance-text.ts'

export interface ConversationDifferenceOptions {
  style: Style
  /** [100] */
  width?: number
  /** Lines at most; what is left out is counted. [all] */
  most?: number
  /** Whether changed prompts, tools and parameters are shown, or only named where they are shown elsewhere. [show] */
  settings?: 'show' | 'name'
  /** Whether what is equal is shown around changes only, and long blocks are cut. [true] */
  fold?: boolean
  /** Long lines: cut around the changed words, or whole on several lines. [cut] */
  lines?: 'cut' | 'wrap'
}

/** Lines that belong together, said by one. */
interface Block {
  label: string
  lines: SignedLine[]
  isChange: boolean
}

const contextBefore = 2
const contextAfter = 1
const mostLines = 16

/** Two conversations as one, with signs before what only one of them says and changed words marked. */
export const renderConversationDifference = (
  pairs: readonly UtterancePair[],
  options: ConversationDifferenceOptions,
): string[] => {
  const { style, most, fold = true } = options
  const blocks = pairs.flatMap((pair) => toBlocks(pair, options))
  const lines: string[] = []
  let folded = 0
  for (const [at, block] of blocks.entries()) {
    if (fold && !isNearChange(blocks, at)) {
      folded++
      continue
    }
    if (folded > 0) lines.push(style.dim(`  … ${count(folded, 'equal line')}`))
    folded = 0
    lines.push(...renderBlock(block, style))
  }
  if (folded > 0) lines.push(style.dim(`  … ${count(folded, 'equal line')}`))
  return limitLines(lines, most, style)
}

const isNearChange = (blocks: readonly Block[], at: number): boolean =>
  blocks.slice(Math.max(0, at - contextAfter), at + contextBefore + 1).some(({ isChange }) => isChange)

const renderBlock = ({ label, lines }: Block, style: Style): string[] => {
  const isPair = lines.every(({ sign }) => sign !== ' ')
  const labelled = new Set([0, ...(isPair ? [lines.findIndex(({ sign }) => sign === '+')] : [])])
  return lines.map(({ sign, text }, nth) =>
    renderSigned(sign, `${padText(labelled.has(nth) ? label : '', roleWidth)}  ${text}`.trimEnd(), style),
  )
}

const toBlocks = ({ before, after, equal }: UtterancePair, options: ConversationDifferenceOptions): Block[] => {
  const shown = after ?? before
  if (!shown) return []
  const isSetting = shown.kind === 'setting'
  if (equal) return isSetting || isReasoning(shown) ? [] : [toEqualBlock(shown, options)]
  if (isSetting && options.settings === 'name') return [toNamedBlock(shown.name)]
  if (isSetting && shown.name !== 'systemPrompt' && shown.name !== 'model') {
    return toMemberBlocks(roleOf(shown.name), membersOf(before), membersOf(after), options)
  }
  return [toChangeBlock(labelOf(shown), before && toUtteranceText(before), after && toUtteranceText(after), options)]
}

const isReasoning = (utterance: Utterance): boolean => utterance.kind === 'said' && utterance.type === 'reasoning'

const labelOf = (utterance: Utterance): string => cutText(toLine(toUtteranceRow(utterance).role.slice(0, 100)), 24)

/** Columns for texts beside sign and label. */
const roomOf = ({ width = 100 }: ConversationDifferenceOptions): number => width - roleWidth - 4

const toEqualBlock = (utterance: Utterance, options: ConversationDifferenceOptions): Block => {
  const room = roomOf(options)
  const text = toUtteranceRow(utterance).text.slice(0, room * 4)
  return { label: labelOf(utterance), lines: [{ sign: ' ', text: cutText(toLine(text), room) }], isChange: false }
}

const toNamedBlock = (setting: string): Block => ({
  label: roleOf(setting),
  lines: [{ sign: ' ', text: '(changed, see above)' }],
  isChange: true,
})

const toChangeBlock = (
  label: string,
  before: string | undefined,
  after: string | undefined,
  options: ConversationDifferenceOptions,
): Block => ({ label, lines: toChangeLines(before, after, options), isChange: true })

/** A text that changed, or that only one side has. */
export const toChangeLines = (
  before: string | undefined,
  after: string | undefined,
  options: ConversationDifferenceOptions,
): SignedLine[] => {
  const room = roomOf(options)
  if (before !== undefined && after !== undefined) {
    const texts = clipTexts(before, after)
    const [one, other] = options.lines === 'wrap' ? texts.map((text) => wrapLines(text, room)) : texts
    const lines = toTextChange(one ?? '', other ?? '', { style: options.style, width: room, wrap: true })
    return options.fold === false ? lines : limitSigned(lines)
  }
  const sign = before === undefined ? '+' : '-'
  const text = clipText(before ?? after ?? '')
  const lines = text.split('\n').flatMap((line) => wrapText(toLine(line), room))
  const signed = lines.map((line): SignedLine => ({ sign, text: line }))
  return options.fold === false ? signed : limitSigned(signed)
}

const wrapLines = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) => wrapText(line, width))
    .join('\n')

const limitSigned = (lines: SignedLine[]): SignedLine[] =>
  lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines - 1), { sign: ' ', text: `… ${count(lines.length - mostLines + 1, 'more line')}` }]

/** Tools by their names, and controls: a block for each that is not equal. */
const toMemberBlocks = (
  label: string,
  before: Map<string, string>,
  after: Map<string, string>,
  options: ConversationDifferenceOptions,
): Block[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [one, other] = [before.get(name), after.get(name)]
    return one === other ? [] : [toChangeBlock(label, one, other, options)]
  })

const membersOf = (utterance: Utterance | undefined): Map<string, string> => {
  const value = utterance?.kind === 'setting' ? utterance.value : null
  if (value === null || typeof value !== 'object') return new Map(value === null ? [] : [['', layOut(value)]])
  const entries = Array.isArray(value) ? value.map(toTool) : Object.entries(value)
  return new Map(entries.map(([name, member]) => [name, `${name} ${layOut(member)}`]))
}

const toTool = (tool: JsonValue, index: number): [string, JsonValue] => {
  const { name, ...members } = tool as JsonObject
  return [typeof name === 'string' ? name : String(index), members]
}
