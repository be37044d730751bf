import type { CassetteResult } from '../cassette.ts'

/** What became of one cassette of a test. Plain data: it crosses to the main process and reports. */
export interface CassetteReport {
  path: string
  kind: CassetteResult['kind']
  liveCalls: number
  replayedCalls: number
  unused: number
  /** What the live calls took. */
  live?: LiveUse
  /** Of a fork: the cassette that it starts as. */
  parent?: string
  /** Options in force that let a run pass which is not quite what was recorded. */
  inForce?: string[]
  /** Of one that failed: equal for tests that failed with the same difference to their cassettes. */
  cause?: string
}

/** What live calls took. */
export interface LiveUse {
  replies: number
  /** Of all replies; absent where a provider did not count them. */
  tokens?: { input: number; output: number }
  /** Milliseconds between requests and replies. */
  duration: number
}

/** Together; tokens only where both counted them. */
export const addLiveUse = (one: LiveUse | undefined, other: LiveUse): LiveUse => {
  if (!one) return other
  const tokens = one.tokens && other.tokens && addTokens(one.tokens, other.tokens)
  return {
    replies: one.replies + other.replies,
    ...(tokens && { tokens }),
    duration: one.duration + other.duration,
  }
}

type Tokens = NonNullable<LiveUse['tokens']>

const addTokens = (one: Tokens, other: Tokens): Tokens => ({
  input: one.input + other.input,
  output: one.output + other.output,
})

const written = new Set<CassetteReport['kind']>(['recorded', 'updated', 'unchanged'])

/**
 * The report of one more attempt or repetition of the same test. The last one decides, but a repetition that replays
 * what the first one wrote was still a recording, and calls that were made stay made.
 */
export const mergeReports = (before: CassetteReport | undefined, now: CassetteReport): CassetteReport => {
  const live = now.live ? addLiveUse(before?.live, now.live) : before?.live
  return {
    ...now,
    kind: before && now.kind === 'replayed' && written.has(before.kind) ? before.kind : now.kind,
    liveCalls: now.liveCalls + (before?.liveCalls ?? 0),
    ...(live && { live }),
  }
}
