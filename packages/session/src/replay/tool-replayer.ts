import { compareValues, equalJson } from '@retake/compare'
import type { StoredResult } from '@retake/providers'
import { isRetakeError, type JsonValue, type RetakeError, UnsupportedError } from '@retake/trace'
import type { CassetteOptions } from '../cassette.ts'
import type { Comparison } from '../comparison.ts'
import type { ToolInvocation } from '../driver.ts'
import { runTool } from '../tools/run-tool.ts'
import { returnStored, toStoredError, toStoredResult } from '../tools/stored-result.ts'
import { toToolInput } from '../tools/tool-input.ts'
import { explainToolMiss, explainToolResult } from './explain-tool.ts'
import type { Place } from './miss-message.ts'
import { isHttp, type RecordedCall, type RecordedRun, type RecordedTool } from './recorded-run.ts'

export interface ToolReplayOptions {
  policy: NonNullable<CassetteOptions['tools']>
  match: 'strict' | 'sequence'
  comparison: Comparison
  place: Place
  /** Lets results out in the recorded order. */
  finished(result: RecordedTool): Promise<void>
  /** Hides keys in what is shown. */
  mask<T>(value: T): T
  /** Remembers what is wrong. */
  fail(error: RetakeError): void
}

/** Serves the calls of wrapped tools, or runs them and looks at what they give. */
export function createToolReplayer(run: RecordedRun, options: ToolReplayOptions) {
  const { policy, match, comparison, place, finished, mask, fail } = options
  /** Names of the tools that this run wraps. */
  const wrapped = new Set<string>()
  const tools = run.tools.filter((tool) => !isHttp(tool))

  function callTool(invocation: ToolInvocation): unknown {
    if (policy === 'live') return runTrusted(invocation)
    const { isAsync } = invocation
    let tool: RecordedTool
    try {
      tool = take(invocation)
    } catch (error) {
      if (isRetakeError(error)) fail(error)
      if (isAsync) return Promise.reject(error)
      throw error
    }
    const { result } = tool
    if (policy === 'run') return runAndCompare(invocation, tool)
    if (!isAsync && !result.promise) return returnStored(result)
    return finished(tool).then(() => returnStored(result))
  }

  /** The open recorded call that this is. @throws UnsupportedError for an input that cannot have been recorded */
  function find({ name, args }: Pick<ToolInvocation, 'name' | 'args'>) {
    const given = toToolInput(name, args)
    const input = comparison.redaction?.toolInput(given) ?? given
    const open = tools.filter(({ call, used, asked }) => !used && call.toolName === name && isAsked(asked))
    const equal = open.find(({ call }) => equalJson(call.toolInput, input))
    return { input, open, tool: equal ?? (match === 'sequence' ? open[0] : undefined) }
  }

  /** @throws the miss where there is none */
  function take(invocation: ToolInvocation): RecordedTool {
    const { input, open, tool } = find(invocation)
    if (!tool) throw missed(invocation.name, input, open[0])
    tool.used = true
    return tool
  }

  function missed(tool: string, input: JsonValue, closest: RecordedTool | undefined) {
    const received = mask(input)
    const differences = closest ? compareValues(closest.call.toolInput, received) : []
    return explainToolMiss({ tool, closest, differences, received }, run, place)
  }

  /** Nobody looks at what it is given and gives; the next request shows it to the model. */
  function runTrusted(invocation: ToolInvocation): unknown {
    try {
      const { tool } = find(invocation)
      if (tool) tool.used = true
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error
    }
    return invocation.run()
  }

  /** The agent goes on with what was recorded, so that one difference is one error. */
  function runAndCompare({ name, run: execute, isAsync }: ToolInvocation, tool: RecordedTool): unknown {
    const { toolCallId: _, toolName: _name, promise: _promise, ...recorded } = tool.result
    const isSame = (make: () => StoredResult): boolean => {
      let given: StoredResult
      try {
        given = comparison.redaction?.result(make()) ?? make()
      } catch (error) {
        if (!(error instanceof UnsupportedError)) throw error
        fail(error)
        return false
      }
      if (equalJson(given, recorded)) return true
      fail(explainToolResult({ tool, recorded, given: mask(given) }, run, place))
      return false
    }
    return runTool(execute, isAsync, {
      gave: (value) => (isSame(() => toStoredResult(name, value)) ? value : returnStored(tool.result)),
      threw(error) {
        if (isSame(() => toStoredError(name, error, []))) throw error
        return returnStored(tool.result)
      },
    })
  }

  /** Calls of tools that this run wraps and did not call. */
  const unused = (): RecordedTool[] =>
    policy === 'live'
      ? []
      : tools.filter(({ used, call, asked }) => !used && wrapped.has(call.toolName) && isAsked(asked))

  return { callTool, find, unused, wrapped }
}

/** A call is open once the reply that asks for it was given; a call of the agent's own code always is. */
const isAsked = (asked: RecordedCall | undefined): boolean => !asked || asked.served > 0
