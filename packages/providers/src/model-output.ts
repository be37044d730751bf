import type { ModelOutput, ReplyPart, Stop, ToolCall, ToolUsePart } from '@retake/trace'
import type { Turn } from './wire.ts'

/** Projects a turn on the payload of a `model_output` step (docs/format.md). */
export function toModelOutput({ parts, stop, stopText, stopDetail }: Turn): ModelOutput {
  const calls = parts.filter((part): part is ToolUsePart => part.type === 'tool_use').map(toCall)
  const texts = parts.filter((part) => part.type === 'text').map(({ text }) => text)
  const refusals = parts.filter((part) => part.type === 'refusal').map(({ text }) => text)
  const text = (texts.length > 0 ? texts : refusals).join('\n\n')
  const ordinary: Stop = calls.length > 0 ? 'tools' : 'end'
  const extension = {
    ...(stop !== ordinary && { stop }),
    ...(stopText !== undefined && { stopText }),
    ...(stopDetail !== undefined && { stopDetail }),
    ...(needsParts(parts) && { parts }),
  }
  if (calls.length === 0) return { type: 'final_answer', text, ...extension }
  const said = texts.length + refusals.length > 0
  return { type: 'tool_calls', calls, ...(said && { text }), ...extension }
}

/** The way back. A file of another tool may hold the single-call shape; it reads the same. */
export function fromModelOutput(output: ModelOutput): Turn {
  const calls = output.type === 'tool_calls' ? output.calls : output.type === 'tool_call' ? [toCall(output)] : []
  const text = output.type === 'tool_call' ? undefined : output.text
  const parts: ReplyPart[] = output.parts ?? [
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...calls.map((call): ToolUsePart => ({ type: 'tool_use', ...call })),
  ]
  return {
    parts,
    stop: output.stop ?? (calls.length > 0 ? 'tools' : 'end'),
    ...(output.stopText !== undefined && { stopText: output.stopText }),
    ...(output.stopDetail !== undefined && { stopDetail: output.stopDetail }),
  }
}

/** `text` and `calls` tell the order of one non-empty text before calls, and of nothing else. */
function needsParts(parts: readonly ReplyPart[]): boolean {
  const [first, ...rest] = parts.filter(({ type }) => type !== 'tool_use')
  if (!first) return false
  return rest.length > 0 || first.type !== 'text' || first.text === '' || parts[0] !== first
}

const toCall = ({ toolCallId, toolName, toolInput, kind, inputText }: ToolCall): ToolCall => ({
  toolCallId,
  toolName,
  toolInput,
  ...(kind && { kind }),
  ...(inputText !== undefined && { inputText }),
})
