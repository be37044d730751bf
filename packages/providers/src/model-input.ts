import type { ModelInput } from '@retake/trace'

/** The payload of a `model_input` step, its members in the order of the published files. */
export const toModelInput = ({ messages, tools, systemPrompt, model, params }: ModelInput): ModelInput => ({
  messages,
  tools,
  ...(systemPrompt !== undefined && { systemPrompt }),
  ...(model !== undefined && { model }),
  ...(params && Object.keys(params).length > 0 && { params }),
})
