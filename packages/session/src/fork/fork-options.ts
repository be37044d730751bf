import type { JsonValue } from '@retake/trace'
import type { ScriptedReply } from '../script/scripted-reply.ts'
import type { StepSelector } from './step-selector.ts'

/** A run that starts as another one and goes another way. */
export interface ForkOptions {
  /**
   * The cassette it starts as: a path beside the test file, or the name of a cassette of the same test file. Default: the
   * test's own; the fork has a file of its own then, `<name>.fork.cassette.json`.
   */
  from?: string
  /** The first step that is another: its index, or `toolResult(name, nth?)`, `modelInput(nth)`. */
  at: number | StepSelector
  /** What the tool gives instead, where `at` is a tool result. Without it, the tool runs. */
  set?: JsonValue
  /** What the tool throws instead: an error, or the message of one. */
  setError?: string | Error
  /** Who answers from there on: the provider, which is never asked under CI, or these replies. */
  then: 'live' | ScriptedReply[]
}
