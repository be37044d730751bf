/** A step of a run by what it is, for forks; its index changes when the agent asks one thing more. */
export type StepSelector =
  | { readonly type: 'tool_result'; readonly toolName: string; readonly nth: number }
  | { readonly type: 'model_input'; readonly nth: number }

/**
 * The result of a tool.
 * @param nth counted from 1, among the results of this tool. Default: the first
 */
export const toolResult = (toolName: string, nth = 1): StepSelector => ({ type: 'tool_result', toolName, nth })

/**
 * A request to the model.
 * @param nth counted from 1, among the requests of the run
 */
export const modelInput = (nth: number): StepSelector => ({ type: 'model_input', nth })
