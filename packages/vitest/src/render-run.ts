import { finalAnswerOf, type ModelOutput, type Trace, toolCallsOf } from '@retake/trace'

const longest = 100

/** The replies of a run, one line each, for the message of a matcher. */
export const renderRun = (trace: Trace): string => {
  const replies = trace.steps.flatMap(({ type, payload }) =>
    type === 'model_output' ? [formatReply(payload as unknown as ModelOutput)] : [],
  )
  if (replies.length === 0) return '  the model was not called'
  return replies.map((reply, index) => `  ${index + 1}  ${cut(reply)}`).join('\n')
}

const formatReply = (output: ModelOutput): string =>
  finalAnswerOf(output) === undefined
    ? toolCallsOf(output)
        .map(({ toolName, toolInput }) => `→ ${toolName} ${JSON.stringify(toolInput)}`)
        .join('  ')
    : JSON.stringify(finalAnswerOf(output))

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)
