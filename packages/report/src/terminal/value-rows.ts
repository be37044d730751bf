import { type Difference, escapeInvisible } from '@retake/compare'
import type { JsonValue } from '@retake/trace'
import { renderChangedWords } from './changed-words.ts'
import type { Style } from './style.ts'
import { type BlockOptions, renderSigned, renderTextChange } from './text-change.ts'
import { cutText, padText, textWidth } from './text-width.ts'

const widestName = 32

/** A named value of both sides; on one side only where it is new or gone. */
export interface Row {
  name: string
  before?: string
  after?: string
}

/** Rows as `- name  old` and `+ name  new`, values in one column, changed words marked. */
export const renderRows = (rows: Row[], { style, width }: BlockOptions): string[] => {
  const column = Math.min(widestName, Math.floor(width / 2), Math.max(0, ...rows.map(({ name }) => textWidth(name))))
  return rows.flatMap(({ name, before, after }) => {
    const left = name === '' ? '' : `${padText(cutText(name, Math.floor(width / 2)), column)}  `
    const [old, young] = renderBoth(before, after, style, width - 2 - textWidth(left))
    return [
      ...(old === undefined ? [] : [renderSigned('-', left + old, style)]),
      ...(young === undefined ? [] : [renderSigned('+', left + young, style)]),
    ]
  })
}

const renderBoth = (
  before: string | undefined,
  after: string | undefined,
  style: Style,
  width: number,
): [string | undefined, string | undefined] => {
  if (before !== undefined && after !== undefined) return renderChangedWords(before, after, style, width)
  const alone = (text: string | undefined) => (text === undefined ? undefined : cutText(escapeInvisible(text), width))
  return [alone(before), alone(after)]
}

export const formatJson = (value: JsonValue | undefined): string => JSON.stringify(value) ?? ''

/** Differences by path, what `prefix` matches taken off; a text of several lines as a block of its own. */
export const renderDifferences = (differences: Difference[], prefix: RegExp, options: BlockOptions): string[] => {
  const blocks: string[][] = []
  let rows: Row[] = []
  const flush = (): void => {
    blocks.push(renderRows(rows, options))
    rows = []
  }
  for (const { path, kind, before, after } of differences) {
    const name = escapeInvisible(path.replace(prefix, ''))
    if (typeof before === 'string' && typeof after === 'string' && isLongText(before, after)) {
      flush()
      if (name !== '') blocks.push([renderSigned(' ', cutText(name, options.width - 2), options.style)])
      blocks.push(renderTextChange(before, after, options))
    } else {
      rows.push({
        name,
        ...(kind !== 'added' && { before: formatJson(before) }),
        ...(kind !== 'removed' && { after: formatJson(after) }),
      })
    }
  }
  flush()
  return blocks.flat()
}

const isLongText = (before: string, after: string): boolean => `${before}${after}`.includes('\n')
