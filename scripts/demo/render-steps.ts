import { type Trace, toolCallsOf } from 'retake/trace'

const quote = (text: string): string => `“${text.replaceAll('\n', ' ')}”`

/** What happened in a run, one line for each thing the model asked for or said and each tool result. */
export const renderSteps = ({ steps }: Trace): string[] =>
  steps.flatMap(({ type, payload }) => {
    // biome-ignore lint/suspicious/noExplicitAny: payloads differ by step type
    const step = payload as any
    if (type === 'tool_result') return [`tool   ${step.toolName} → ${JSON.stringify(step.result ?? step.error)}`]
    if (type !== 'model_output') return []
    const calls = toolCallsOf(step).map((call) => `calls ${call.toolName}(${JSON.stringify(call.toolInput)})`)
    return [...(step.text ? [`says ${quote(step.text)}`] : []), ...calls].map((line) => `model  ${line}`)
  })
