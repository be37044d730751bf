import type { Reply, StoredResult, WireError, WireRequest } from '@retake/providers'
import type { JsonValue, ModelInput, ToolCallPayload } from '@retake/trace'
import type { Flight } from '../clock/clock.ts'
import type { RunBeginning } from './run-beginning.ts'

/** One model call of the run being recorded: a request, its failed attempts, its reply. Ids are the provider's own. */
export interface Exchange {
  readonly request: WireRequest
  readonly input: ModelInput
  readonly startedAt: number
  readonly attempts: Attempt[]
  /** The attempt that is on its way. */
  flight: Flight | undefined
  /** True once the client holds the response; only its stream is still open. */
  handedOver: boolean
  /** Ends the stream that the client holds as if it had hung up. */
  close: (() => void) | undefined
  /** Calls of the reply, in order. */
  readonly calls: LoggedCall[]
  /** Calls that no reply asked for, made while this exchange was the latest. */
  readonly extraCalls: LoggedCall[]
  /** True where the beginning of the run ends with this request. */
  readonly begun: boolean
}

export type Attempt = { at: number } & ({ reply: Reply } | { error: WireError })

/** A tool call as the model asked for it, and as a wrapped tool or a request over HTTP made it. */
export interface LoggedCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly toolInput: JsonValue
  /** Where no reply asked for it, or it went over HTTP. */
  origin?: ToolCallPayload['origin']
  /** True where the beginning of the run ends with this call. */
  begun?: boolean
  run?: ToolRun
}

export interface ToolRun {
  toolInput: JsonValue
  startedAt: number
  endedAt?: number
  result?: StoredResult & { promise?: true }
  /** Ends the response that the client holds as if it had hung up. */
  close?: () => void
}

export interface RunLog {
  /** What it takes over from another run. */
  readonly beginning?: RunBeginning | undefined
  readonly exchanges: Exchange[]
  /** Calls before the first model call. */
  readonly early: LoggedCall[]
}

export const createRunLog = (beginning?: RunBeginning): RunLog => ({ beginning, exchanges: [], early: [] })

/** The log without requests that nothing came back for yet; what the agent did meanwhile stays. */
export function withoutUnanswered({ beginning, exchanges, early }: RunLog): RunLog {
  const kept: RunLog = { beginning, exchanges: [], early: [...early] }
  for (const exchange of exchanges) {
    if (exchange.attempts.length > 0) kept.exchanges.push({ ...exchange, extraCalls: [...exchange.extraCalls] })
    else (kept.exchanges.at(-1)?.extraCalls ?? kept.early).push(...exchange.extraCalls)
  }
  return kept
}

export const replyOf = (exchange: Exchange): Reply | undefined => {
  const last = exchange.attempts.at(-1)
  return last && 'reply' in last ? last.reply : undefined
}
