import type { OutcomeDiff, TraceDiff, TraceDifference } from '@retake/compare'
import { isJsonObject, type ModelOutput, type Trace, type TraceStep, toolCallsOf } from '@retake/trace'
import { formatCall, formatResult } from './message-rows.ts'
import type { Style } from './style.ts'
import { count, renderSigned, renderTextChange } from './text-change.ts'
import { cutText, toLine } from './text-width.ts'
import { renderDifferences, renderRows } from './value-rows.ts'

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
    `  steps    ${formatStructure(diff, first.trace, second.trace)}`,
    `  outcome  ${outcome.verdict}`,
    ...renderOutcome(outcome, style, width - 4).map((line) => `    ${line}`),
  ]
  const steps = renderSteps(diff.differences, first.trace, second.trace, style, width)
  return [...head, ...steps].join('\n')
}

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
        : renderTextChange(parentResult, childResult, { style, width, most: 12 })),
    )
  }
  if (outcome.toolSequenceChanged) {
    const row = { name: 'tools', before: formatTools(outcome.parentTools), after: formatTools(outcome.childTools) }
    lines.push(...renderRows([row], { style, width }))
  }
  return lines
}

const formatTools = (tools: string[]): string => (tools.length === 0 ? 'none' : tools.join(' → '))

const renderSteps = (
  differences: TraceDifference[],
  first: Trace,
  second: Trace,
  style: Style,
  width: number,
): string[] => {
  const seen = new Map<string, number>()
  const groups = groupBySteps(differences)
  return groups.flatMap((group, nth): string[] => {
    const [only] = group
    if (!only) return []
    if (isWholeStep(only)) {
      const step = (only.kind === 'added' ? second : first).steps[only.step]
      const line = step ? cutText(formatStep(step), width - 4) : ''
      const previous = groups[nth - 1]?.[0]
      const gap = previous && isWholeStep(previous) ? [] : ['']
      return [...gap, `  ${renderSigned(only.kind === 'added' ? '+' : '-', line, style)}`]
    }
    const fresh = group.filter((difference) => !seen.has(keyOf(difference)))
    const repeated = group.length - fresh.length
    const since = firstOf(group, seen, only.step)
    for (const difference of fresh) seen.set(keyOf(difference), only.step)
    const step = second.steps[only.step]
    return [
      '',
      `  ${style.title(`step ${only.step}`)}  ${step ? formatKind(step) : ''}`.trimEnd(),
      ...renderDifferences(fresh, nothing, { style, width: width - 4 }).map((line) => `    ${line}`),
      ...(repeated > 0 ? [`    ${style.dim(`… ${count(repeated, 'difference')} as in step ${since}`)}`] : []),
    ]
  })
}

const nothing = /^(?!)/

const firstOf = (group: TraceDifference[], seen: ReadonlyMap<string, number>, step: number): number =>
  group.reduce((first, difference) => Math.min(first, seen.get(keyOf(difference)) ?? step), step)

const isWholeStep = ({ path, kind }: TraceDifference): boolean => path === '' && kind !== 'changed'

const keyOf = ({ path, kind, before, after }: TraceDifference): string => JSON.stringify([path, kind, before, after])

/** Neighbours of one step; a step that only one run has stands alone. */
const groupBySteps = (differences: TraceDifference[]): TraceDifference[][] => {
  const groups: TraceDifference[][] = []
  for (const difference of differences) {
    const last = groups.at(-1)?.[0]
    if (last && last.step === difference.step && !isWholeStep(last) && !isWholeStep(difference)) {
      groups.at(-1)?.push(difference)
    } else groups.push([difference])
  }
  return groups
}

const formatKind = ({ type, payload }: TraceStep): string => {
  const name = isJsonObject(payload) && typeof payload.toolName === 'string' ? ` ${payload.toolName}` : ''
  return toLine(`${type}${name}`)
}

/** A step on one line: number, type and what it is about. */
const formatStep = (step: TraceStep): string =>
  `step ${step.index}  ${step.type}  ${toLine(formatContent(step))}`.trimEnd()

const formatContent = ({ type, payload }: TraceStep): string => {
  if (!isJsonObject(payload)) return formatResult(payload)
  switch (type) {
    case 'model_input':
      return Array.isArray(payload.messages) ? count(payload.messages.length, 'message') : ''
    case 'model_output': {
      const calls = toolCallsOf(payload as unknown as ModelOutput)
      const text = typeof payload.text === 'string' ? [payload.text] : []
      return [...text, ...calls.map(({ toolName, toolInput }) => formatCall(toolName, toolInput))].join('  ')
    }
    case 'tool_call':
      return formatCall(String(payload.toolName), payload.toolInput)
    case 'tool_result':
      return 'error' in payload ? `✗ ${payload.error}` : formatResult(payload.result)
    case 'metadata':
      return [payload.event, payload.reason, payload.message].filter((value) => value !== undefined).join(' ')
  }
}
