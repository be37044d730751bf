import {
  createCallIds,
  type HttpCall,
  type ReadAnswer,
  type StoredResult,
  toModelError,
  toModelInput,
  toModelOutput,
} from '@retake/providers'
import { finalAnswerOf, type ModelInput, type ModelOutput, type TraceHeader, TraceRecorder } from '@retake/trace'
import type { Run } from './run-format.ts'

/** A request to a model with its attempts in order: failures, and a reply. Ids are the provider's own. */
export interface ModelExchange {
  input: ModelInput
  /** Milliseconds since the epoch. */
  startedAt: number
  attempts: (ReadAnswer & { at: number })[]
}

/** A request that is for no model, with what the server gave. */
export interface HttpExchange {
  call: Pick<HttpCall, 'origin' | 'toolName' | 'toolInput'>
  result: StoredResult
  startedAt: number
  endedAt: number
}

export type Exchange = ModelExchange | HttpExchange

/**
 * Lays exchanges out as the steps of a trace, in their order; a run whose last exchange with a model is an answer has
 * ended well.
 */
export function exchangesToRun(header: TraceHeader, exchanges: readonly Exchange[]): Run {
  const recorder = new TraceRecorder(header)
  const ids = createCallIds()
  const extras: Run['extras'] = []
  let last: { output: ModelOutput; at: number } | undefined
  for (const exchange of exchanges) {
    if ('call' in exchange) {
      const { call, result, startedAt, endedAt } = exchange
      const asked = { toolCallId: ids.next(), toolName: call.toolName }
      recorder.append('tool_call', { ...asked, toolInput: call.toolInput, origin: call.origin }, startedAt)
      recorder.append('tool_result', { ...asked, ...result }, endedAt)
      continue
    }
    last = undefined
    recorder.append('model_input', toModelInput(ids.inRequest(exchange.input)), exchange.startedAt)
    for (const attempt of exchange.attempts) {
      if ('error' in attempt) {
        const { error, at } = attempt
        const parts = error.parts && ids.inReply({ parts: error.parts, stop: 'end' }).parts
        recorder.append('metadata', toModelError({ ...error, ...(parts && { parts }) }), at)
      } else {
        const output = toModelOutput(ids.inReply(attempt.reply.turn))
        const step = recorder.append('model_output', output, attempt.at)
        if (Object.keys(attempt.reply.extras).length > 0) extras.push({ step: step.index, ...attempt.reply.extras })
        last = { output, at: attempt.at }
      }
    }
  }
  const answer = last && finalAnswerOf(last.output)
  if (last && answer !== undefined) {
    recorder.append('metadata', { event: 'run_completed', status: 'success', result: answer }, last.at)
  }
  return { trace: recorder.toTrace(), extras }
}
