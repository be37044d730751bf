import type { HttpCall, ReadAnswer, StoredResult } from '@retake/providers'
import { finalAnswerOf, type ModelInput, type ModelOutput, type TraceHeader } from '@retake/trace'
import type { Run } from './run-format.ts'
import { createTraceBuilder } from './trace-builder.ts'

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
 * Lays exchanges out as the steps of a trace, in their order. A run whose last exchange with a model is an answer has
 * ended well.
 */
export function exchangesToRun(header: TraceHeader, exchanges: readonly Exchange[]): Run {
  const builder = createTraceBuilder(header)
  for (const exchange of exchanges) {
    if ('call' in exchange) {
      const { call, result, startedAt, endedAt } = exchange
      builder.tool({ ...call, startedAt, outcome: { endedAt, result } })
      continue
    }
    builder.input(exchange.input, exchange.startedAt)
    for (const attempt of exchange.attempts) {
      if ('error' in attempt) builder.failure(attempt.error, attempt.at)
      else builder.reply(attempt.reply, attempt.at)
    }
  }
  const { steps } = builder.toRun().trace
  const last = steps.findLast(({ type }) => type === 'model_input' || type === 'model_output')
  const result = last?.type === 'model_output' ? finalAnswerOf(last.payload as ModelOutput) : undefined
  if (result !== undefined) {
    builder.note({ event: 'run_completed', status: 'success', result }, steps.at(-1)?.timestamp ?? header.createdAt)
  }
  return builder.toRun()
}
