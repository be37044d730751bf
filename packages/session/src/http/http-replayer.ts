import { compareValues, equalJson } from '@retake/compare'
import type { HttpCall } from '@retake/providers'
import type { JsonValue } from '@retake/trace'
import type { Comparison } from '../comparison.ts'
import type { Place } from '../replay/miss-message.ts'
import type { RecordedTool } from '../replay/recorded-run.ts'
import { withoutResponse } from '../seam/respond.ts'
import { explainHttpMiss, type HttpMiss } from './explain-http.ts'
import type { HttpRequest } from './http-request.ts'
import { toHttpResponse } from './http-response.ts'
import { fromStoredFailure } from './stored-failure.ts'

interface Context {
  comparison: Comparison
  place: Place
  /** An endpoint of a provider was answered. */
  served(): void
  /** Lets results out in the recorded order. */
  finished(result: RecordedTool): Promise<void>
}

/** Serves the requests of a test that are for no model. Equal ones are served in the recorded order, others in any. */
export function createHttpReplayer(
  recorded: readonly RecordedTool[],
  { comparison, place, served, finished }: Context,
) {
  let requests = 0

  /** @throws the miss, and what `fetch` threw while recording */
  async function answer(request: HttpRequest, call: HttpCall): Promise<Response> {
    requests++
    const found = take(call)
    if ('miss' in found)
      throw explainHttpMiss(found.miss, { call, request, number: requests, total: recorded.length, place })
    if (call.origin === 'endpoint') served()
    await finished(found.taken)
    const { result } = found.taken
    const answer = call.toAnswer(result)
    return answer ? toHttpResponse(answer, request) : withoutResponse(fromStoredFailure(result), request.signal)
  }

  const inputOf = ({ toolInput }: HttpCall): JsonValue => comparison.redaction?.toolInput(toolInput) ?? toolInput

  const isEqual = ({ call }: RecordedTool, given: HttpCall): boolean =>
    call.origin === given.origin &&
    (given.origin === 'http' || call.toolName === given.toolName) &&
    equalJson(call.toolInput, inputOf(given))

  function take(given: HttpCall): { taken: RecordedTool } | { miss: HttpMiss } {
    const { origin, toolName } = given
    const input = inputOf(given)
    const taken = recorded.find((tool) => !tool.used && isEqual(tool, given))
    if (taken) {
      taken.used = true
      return { taken }
    }
    const used = recorded.find((tool) => isEqual(tool, given))
    if (used) return { miss: { kind: 'used', tool: used } }
    const open = recorded.filter((tool) => !tool.used && tool.call.origin === origin)
    const closest = closestOf(open, toolName, input)
    if (!closest) return { miss: { kind: 'exhausted' } }
    return { miss: { kind: 'mismatch', tool: closest, differences: compareValues(closest.call.toolInput, input) } }
  }

  /** True for a request that is recorded and was not made yet. */
  const has = (call: HttpCall): boolean => recorded.some((tool) => !tool.used && isEqual(tool, call))

  return { answer, has }
}

/** Of the same name where there are some: the one with the fewest differences. */
function closestOf(open: readonly RecordedTool[], name: string, input: JsonValue): RecordedTool | undefined {
  const named = open.filter(({ call }) => call.toolName === name)
  let closest: { tool: RecordedTool; count: number } | undefined
  for (const tool of named.length > 0 ? named : open) {
    const count = compareValues(tool.call.toolInput, input).length
    if (!closest || count < closest.count) closest = { tool, count }
  }
  return closest?.tool
}
