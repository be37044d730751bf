import type { RetakeError, ToolUsePart } from '@retake/trace'
import type { RunKind } from '../cassette.ts'
import { CassetteExhaustedError, UnusedStepsError } from '../errors.ts'
import { toWireRequest } from '../miss.ts'
import type { ModelSource } from '../record/model-source.ts'
import { ordinal } from '../replay/explain.ts'
import { toResponse } from '../seam/respond.ts'
import type { ScriptedTurn } from './read-script.ts'

export interface ScriptPlace {
  runKind: RunKind
  path: string
  test: string
  /** What the replies were given as: `script`, `fork.then`, the name of a file. */
  option: string
}

/**
 * A model that says what a script says, one reply a request, whatever is asked and in whatever wire.
 * @param firstCall number of the first `call-N` that is free
 */
export function createScriptedModel(
  script: readonly ScriptedTurn[],
  { path, test, runKind, option }: ScriptPlace,
  firstCall = 0,
): ModelSource {
  let requests = 0
  let calls = firstCall
  const entries = `${script.length} ${script.length === 1 ? 'reply' : 'replies'}`

  const exhausted = (): RetakeError =>
    new CassetteExhaustedError(
      `the agent made ${ordinal(requests)} request to the model; the script has ${entries}\n` +
        `  Add what the model says then to \`${option}\`, or see why the agent asks once more.`,
      { path, test, request: requests, requests: script.length },
    )

  return {
    isLive: false,
    async call(request, given) {
      const entry = script[requests++]
      if (!entry) {
        const error = exhausted()
        given.ended({ refused: error })
        return given.refuse(error)
      }
      const parts = entry.parts.map((part) =>
        part.type === 'tool_use' ? ({ ...part, toolCallId: `call-${calls++}` } satisfies ToolUsePart) : part,
      )
      const turn = { parts, stop: entry.stop }
      const answer = request.wire.writeReply(turn, {
        request: toWireRequest(request),
        replyId: `script-${requests}`,
        timestamp: given.startedAt,
      })
      given.ended({ reply: { turn, extras: {}, ...(answer.held && { held: answer.held }) } })
      given.handedOver()
      return toResponse(answer, request.url, request.signal)
    },
    leftOver() {
      const left = script.length - requests
      if (left <= 0) return undefined
      return new UnusedStepsError(
        `the ${runKind} ended with ${left} of ${entries} in the script unused: ${option}[${requests}] is the first\n` +
          '  Most often an early return, or a thrown error that was swallowed. If it is meant: `allowUnused: true`.',
        { path, test, steps: [], requests: script.length, left },
      )
    },
  }
}
