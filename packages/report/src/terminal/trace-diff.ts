import type { OutcomeDiff, TraceDiff, TraceDifference } from '@retake/compare'
import type { Trace } from '@retake/trace'
import { renderStepDifference } from './step-difference.ts'
import { formatContent, formatKind } from './step-line.ts'
import type { Style } from './style.ts'
import { count, renderSigned, renderTextChange } from './text-change.ts'
import { cutText, padText, toLine, wrapText } from './text-width.ts'
import { renderRows } from './value-rows.ts'

export interface TraceDiffSide {
  /** As the user named it. */
  name: string
  trace: Trace
}

export interface TraceDiffOptions {
  first: TraceDiffSide
  second: TraceDiffSide
  diff: TraceDiff
  outcome: OutcomeDiff
  style: Style
  /** [100] */
  width?: number
}

/** Two runs: where they part, whether they did the same in the end, and every difference step by step. */
export const renderTraceDiff = (options: TraceDiffOptions): string => {
  const { first, second, diff, outcome, style, width = 100 } = options
  const head = [
    style.before(cutText(`--- ${formatSide(first)}`, width)),
    style.after(cutText(`+++ ${formatSide(second)}`, width)),
    '',
    ...renderRow('steps', formatStructure(diff, first.trace, second.trace), width),
    ...renderRow('outcome', outcome.verdict, width),
    ...renderOutcome(outcome, style, width - 4).map((line) => `    ${line}`),
  ]
  const steps = renderSteps(diff, first.trace, second.trace, style, width)
  return [...head, ...steps].join('\n')
}

const labelWidth = 'outcome'.length

const renderRow = (label: string, text: string, width: number): string[] =>
  wrapText(text, width - labelWidth - 4).map((line, nth) => `  ${padText(nth === 0 ? label : '', labelWidth)}  ${line}`)

const formatSide = ({ name, trace }: TraceDiffSide): string => {
  const fork = trace.forkedFromStepId === undefined ? '' : `, forked at ${toLine(trace.forkedFromStepId)}`
  return `${toLine(name)}   ${toLine(trace.id)}, ${count(trace.steps.length, 'step')}${fork}`
}

const formatStructure = (diff: TraceDiff, first: Trace, second: Trace): string => {
  const by = diff.by === 'hash' ? 'by hash' : 'by content'
  const shared = String(diff.sharedPrefixLength)
  if (!diff.hasDivergence) return `all ${diff.sharedPrefixLength} are the same (${by})`
  const index = diff.firstDivergenceIndex ?? 0
  const [one, other] = [first.steps[index], second.steps[index]]
  if (!one || !other) return `${shared} shared, then the ${one ? 'second' : 'first'} ends (${by})`
  const what = one.type === other.type ? `${one.type} differs` : `${one.type} against ${other.type}`
  return `${shared} shared, then ${what} at step ${index} (${by})`
}

const renderOutcome = (outcome: OutcomeDiff, style: Style, width: number): string[] => {
  const lines: string[] = []
  const { parentResult, childResult } = outcome
  if (parentResult !== childResult) {
    lines.push(
      ...(parentResult === undefined || childResult === undefined
        ? renderRows(
            [
              {
                name: '',
                ...(parentResult !== undefined && { before: parentResult }),
                ...(childResult !== undefined && { after: childResult }),
              },
            ],
            { style, width },
          )
        : renderTextChange(parentResult, childResult, { style, width, most: 12, wrap: true })),
    )
  }
  if (outcome.toolSequenceChanged) {
    const row = { name: 'tools', before: formatTools(outcome.parentTools), after: formatTools(outcome.childTools) }
    lines.push(...renderRows([row], { style, width }))
  }
  return lines
}

const formatTools = (tools: string[]): string => (tools.length === 0 ? 'none' : tools.join(' → '))

const renderSteps = (diff: TraceDiff, first: Trace, second: Trace, style: Style, width: number): string[] => {
  const partnerOf = new Map(diff.aligned.map(({ before, after }) => [after, before]))
  const told = new Map<string, number>()
  const blocks: { lines: string[]; isWhole: boolean }[] = []
  // Steps with nothing new to show, by what there is to say of them.
  let quiet: { how: string; steps: number[] } | undefined
  const flush = (): void => {
    if (quiet) blocks.push({ lines: [`  ${style.dim(formatQuiet(quiet.steps, quiet.how))}`], isWhole: false })
    quiet = undefined
  }
  const fold = (step: number, how: string): void => {
    if (quiet?.how !== how) flush()
    quiet = { how, steps: [...(quiet?.steps ?? []), step] }
  }
  for (const group of groupBySteps(diff.differences)) {
    const [{ step }] = group
    const fresh = group.filter((difference) => !told.has(keyOf(difference)))
    if (isWholeStep(group[0])) {
      flush()
      blocks.push({ lines: [renderWholeStep(group[0], first, second, style, width)], isWhole: true })
    } else if (group.every(isTime)) fold(step, 'in time only')
    else if (fresh.every(isTime)) fold(step, 'only as told above')
    else {
      flush()
      const pair = { before: first.steps[partnerOf.get(step) ?? -1], after: second.steps[step] }
      const repeated = group.filter((difference) => told.has(keyOf(difference)))
      const since = Math.min(...repeated.map((difference) => told.get(keyOf(difference)) ?? step))
      const lines = [
        `  ${style.title(`step ${step}`)}  ${pair.after ? formatKind(pair.after) : ''}`.trimEnd(),
        ...renderStepDifference(pair, fresh, repeated, { style, width: width - 4 }).map((line) => `    ${line}`),
      ]
      if (repeated.length > 0) {
        lines.push(`    ${style.dim(`… ${count(repeated.length, 'difference')} as in step ${since}`)}`)
      }
      blocks.push({ lines, isWhole: false })
      for (const difference of fresh) told.set(keyOf(difference), step)
    }
  }
  flush()
  return blocks.flatMap(({ lines, isWhole }, at) => (isWhole && blocks[at - 1]?.isWhole ? lines : ['', ...lines]))
}

const formatQuiet = (steps: number[], how: string): string => {
  const [first, last] = [steps[0] ?? 0, steps.at(-1) ?? 0]
  if (steps.length === 1) return `step ${first} differs ${how}`
  return `${count(steps.length, 'step')} from ${first} to ${last} differ ${how}`
}

const renderWholeStep = (
  { kind, step: index }: TraceDifference,
  first: Trace,
  second: Trace,
  style: Style,
  width: number,
): string => {
  const step = (kind === 'added' ? second : first).steps[index]
  const line = step ? `step ${index}  ${step.type}  ${formatContent(step)}`.trimEnd() : ''
  return `  ${renderSigned(kind === 'added' ? '+' : '-', cutText(line, width - 4), style)}`
}

const isTime = ({ path }: TraceDifference): boolean => path === 'timestamp'

const isWholeStep = ({ path, kind }: TraceDifference): boolean => path === '' && kind !== 'changed'

const keyOf = ({ path, kind, before, after }: TraceDifference): string => JSON.stringify([path, kind, before, after])

type Group = [TraceDifference, ...TraceDifference[]]

/** Neighbours of one step; a step that only one run has stands alone. */
const groupBySteps = (differences: TraceDifference[]): Group[] => {
  const groups: Group[] = []
  for (const difference of differences) {
    const last = groups.at(-1)
    if (last && last[0].step === difference.step && !isWholeStep(last[0]) && !isWholeStep(difference)) {
      last.push(difference)
    } else groups.push([difference])
  }
  return groups
}
