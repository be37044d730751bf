import {
  type CassetteFile,
  isJsonObject,
  type JsonObject,
  type StepExtras,
  type Trace,
  terminalOutcome,
  type VerifyReport,
} from '@retake/trace'
import { formatTime } from './format-time.ts'
import { formatContent } from './step-line.ts'
import type { Style } from './style.ts'
import { count } from './text-change.ts'
import { cutText, padText, toLine } from './text-width.ts'
import { renderTitle } from './title-line.ts'

export interface OverviewOptions {
  /** As the user named the file. */
  name: string
  cassette: CassetteFile
  /** Names of the tools called, in order. */
  tools: string[]
  verify: Pick<VerifyReport, 'checks'>
  /** What the file is, where it is no cassette of retake: `stepfork 0.1`. */
  label?: string
  /** Further rows. */
  notes?: (readonly [label: string, text: string])[]
  style: Style
  /** [100] */
  width?: number
}

/** What a cassette holds: where it comes from, how it ended, and a line a step. */
export const renderOverview = (options: OverviewOptions): string => {
  const { name, cassette, label, style, width = 100 } = options
  const { trace, format } = cassette
  const rows = toRows(options)
  const column = Math.max(...rows.map(([label]) => label.length))
  const facts = `${label ?? `version ${format.slice(1)}`}, ${count(trace.steps.length, 'step')}`
  return [
    ...renderTitle(toLine(name), facts, style, width),
    ...rows.map(([label, text, isBad]) => {
      const line = cutText(toLine(text), width - column - 4)
      return `  ${style.dim(padText(label, column))}  ${isBad ? style.bad(line) : line}`
    }),
    '',
    ...renderSteps(trace, style, width),
  ].join('\n')
}

type Row = [label: string, text: string, isBad?: boolean]

const toRows = ({ cassette, tools, verify: { checks }, notes = [] }: OverviewOptions): Row[] => {
  const { trace, test, extras } = cassette
  const { id, createdAt, parentId, forkedFromStepId } = trace
  const models = modelsOf(trace)
  const broken = checks.find(({ status }) => status === 'fail')
  const where = broken?.where === undefined ? '' : ` at ${broken.where}`
  return [
    ['id', id],
    ...(test ? [['test', `${test.file} > ${test.name}`] satisfies Row] : []),
    ['created', formatTime(createdAt)],
    ...(parentId === undefined
      ? []
      : [['forked', `from ${parentId} at ${forkedFromStepId ?? 'an unknown step'}`] satisfies Row]),
    ...(models.length > 0 ? [[models.length > 1 ? 'models' : 'model', models.join(', ')] satisfies Row] : []),
    ...(tools.length > 0 ? [['tools', tools.join(' → ')] satisfies Row] : []),
    ...formatTokens(extras),
    ['outcome', formatOutcome(trace)],
    broken
      ? ['verified', `no: ${broken.name}${where}, ${broken.detail}`, true]
      : ['verified', `yes, ${count(checks.length, 'check')}`],
    ...notes.map(([label, text]): Row => [label, text]),
  ]
}

const modelsOf = ({ steps }: Trace): string[] => [
  ...new Set(
    steps.flatMap(({ type, payload }) =>
      type === 'model_input' && isJsonObject(payload) && typeof payload.model === 'string' ? [payload.model] : [],
    ),
  ),
]

const formatTokens = (extras: StepExtras[]): Row[] => {
  const sum = (member: 'input' | 'output') => extras.reduce((total, { tokens }) => total + (tokens?.[member] ?? 0), 0)
  return extras.some(({ tokens }) => tokens) ? [['tokens', `${sum('input')} in, ${sum('output')} out`]] : []
}

const formatOutcome = (trace: Trace): string => {
  const outcome = terminalOutcome(trace)
  if (outcome.status === 'incomplete') return 'incomplete'
  if (outcome.status === 'success') return `success: ${outcome.result}`
  const { message, toolName } = outcome.payload as JsonObject
  return ['error', outcome.reason, ...[message ?? toolName].filter((more) => typeof more === 'string')].join(': ')
}

const widestType = 'model_output'.length

const renderSteps = ({ steps }: Trace, style: Style, width: number): string[] => {
  const digits = String(Math.max(0, steps.length - 1)).length
  return steps.map((step, index) => {
    const head = `  ${String(index).padStart(digits)}  ${padText(step.type, widestType)}  ${step.hash.slice(0, 8)}`
    const content = cutText(formatContent(step), width - head.length - 2)
    return `${style.dim(head)}  ${content}`.trimEnd()
  })
}
