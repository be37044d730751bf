import { basename } from 'node:path'
import { CassetteCorruptError, type ToolDefinition, type ToolResultPart, type ToolUsePart } from '@retake/trace'
import type { Loss } from '../loss.ts'
import type { ReadRun } from '../run-format.ts'
import { createStepList, type StepList } from './step-list.ts'
import { findToolResults } from './tool-results.ts'
import { readTranscript, type TranscriptMessage } from './transcript.ts'

const description = 'Observed in Claude Code transcript; original definition unavailable.'

/**
 * The run in a session log of Claude Code. A log tells what was said and what tools gave; the system prompt and the
 * definitions of the tools are not in it.
 * @throws CassetteCorruptError with the line
 */
export function readClaudeCode(text: string, path?: string, id = idOf(path)): ReadRun {
  const fault = (line: number, reason: string) =>
    new CassetteCorruptError(
      `the transcript is broken: line ${line}: ${reason}${path === undefined ? '' : `\n  ${path}:${line}`}`,
      { ...(path !== undefined && { path }), line },
    )
  const { messages, lost } = readTranscript(text, fault)
  const [first] = messages
  if (!first) throw fault(1, 'no line is of a user or of the assistant')
  const steps = createStepList({ id, createdAt: first.startedAt })
  layOut(steps, messages, fault)
  const trace = steps.toTrace()
  if (trace.steps.length === 0) throw fault(first.line, 'nothing is said from here on')
  return {
    trace,
    extras: [],
    lost: [...lost, ...lossesOf(messages)],
    missing: [{ where: '', what: 'the system prompt and the schemas of the tools' }],
  }
}

const idOf = (path = 'transcript'): string => basename(path).replace(/\.jsonl?$/i, '')

function layOut(
  steps: StepList,
  messages: readonly TranscriptMessage[],
  fault: (line: number, reason: string) => CassetteCorruptError,
): void {
  const results = findToolResults(messages, fault)
  const turns = messages.filter(({ role, content }) => role === 'assistant' && content.some(isSaid))
  const tools = toolsOf(turns)
  let calls = 0
  let open: TranscriptMessage | undefined
  let answer: { text: string; at: number } | undefined
  for (const message of messages) {
    const text = textOf(message)
    if (message.role === 'user') {
      if (text === '') continue
      steps.say({ role: 'user', content: text })
      open = message
      continue
    }
    if (!message.content.some(isSaid)) continue
    open = undefined
    steps.request({ tools, ...named(message.model) }, message.startedAt)
    const asked = message.content
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({
        given: String(id),
        call: { toolCallId: `call-${calls++}`, toolName: String(name), toolInput: input ?? {} },
      }))
    const at = message.endedAt
    answer = asked.length === 0 ? { text, at } : undefined
    if (answer) {
      steps.add('model_output', { type: 'final_answer', text }, at)
      steps.say({ role: 'assistant', content: text })
      continue
    }
    const said = text === '' ? {} : { text }
    steps.add('model_output', { type: 'tool_calls', calls: asked.map(({ call }) => call), ...said }, at)
    const parts: ToolResultPart[] = []
    for (const { given, call } of asked) {
      const found = results.get(given)
      // A session that was broken off.
      if (!found && message === turns.at(-1)) continue
      if (!found) throw fault(message.line, `its call of ${call.toolName} has no result`)
      const { toolCallId, toolName } = call
      steps.add('tool_call', call, at)
      steps.add('tool_result', { toolCallId, toolName, ...found.result }, Math.max(found.at, at))
      parts.push({ type: 'tool_result', toolCallId, toolName, ...found.result })
    }
    const uses = asked.map(({ call }): ToolUsePart => ({ type: 'tool_use', ...call }))
    steps.say({ role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...uses] })
    if (parts.length > 0) steps.say({ role: 'user', content: parts })
  }
  if (open) steps.request({ tools }, open.endedAt)
  else if (answer) {
    steps.add('metadata', { event: 'run_completed', status: 'success', result: answer.text }, answer.at)
  }
}

/** The words of Claude Code itself, such as an error of the API, are under a name in angle brackets. */
const named = (model: string | undefined): { model?: string } =>
  model !== undefined && !model.startsWith('<') ? { model } : {}

const isSaid = ({ type }: { type?: unknown }): boolean => type === 'text' || type === 'tool_use'

/** Its texts; other blocks than texts, thinking, calls and results leave a mark. */
const textOf = ({ content }: TranscriptMessage): string =>
  content
    .flatMap(({ type, text }) => {
      if (type === 'text') return text === '' ? [] : [String(text)]
      return isKnown(type) ? [] : [`[${String(type)} omitted]`]
    })
    .join('\n\n')

const isKnown = (type: unknown): boolean =>
  ['thinking', 'redacted_thinking', 'tool_use', 'tool_result'].some((known) => known === type)

function toolsOf(turns: readonly TranscriptMessage[]): ToolDefinition[] {
  const uses = turns.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_use'))
  return [...new Set(uses.map(({ name }) => String(name)))].map((name) => ({ name, description }))
}

function lossesOf(messages: readonly TranscriptMessage[]): Loss[] {
  return messages.flatMap(({ content, line }) => [
    ...(content.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
      ? [{ where: `line ${line}`, what: 'thinking' }]
      : []),
    ...content
      .filter(({ type }) => type !== 'text' && !isKnown(type))
      .map(({ type }) => ({ where: `line ${line}`, what: `a block of type ${String(type)}` })),
  ])
}
