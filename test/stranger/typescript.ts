import { CassetteMismatchError, isRetakeError, RetakeError } from 'retake'
import { compareRequests, type Difference } from 'retake/compare'
import { loadTrace, type ModelInput, type ModelOutput, type Trace, toolCallsOf, verifyTrace } from 'retake/trace'
import { type Cassette, type CassetteOptions, expectCassette, retake, useCassette } from 'retake/vitest'

export const plugin = retake({ dir: '__cassettes__' })
export const options: CassetteOptions = { mode: 'replay', allow: [/example/] }

export const check = (path: string): Difference[] => {
  const trace: Trace = loadTrace(path)
  if (!verifyTrace(trace).pass) return []
  const [first, second] = trace.steps
  return first && second ? compareRequests(first.payload as ModelInput, second.payload as ModelInput) : []
}

export const names = (trace: Trace): string[] =>
  trace.steps.flatMap((step) =>
    step.type === 'model_output' ? toolCallsOf(step.payload as ModelOutput).map((call) => call.toolName) : [],
  )

export const run = async (): Promise<void> => {
  const cassette: Cassette = useCassette(options)
  const tools = cassette.tools({ lookup: async (input: { id: string }) => input.id.length })
  const length: number = await tools.lookup({ id: 'A-77' })
  // @ts-expect-error the wrapped tool keeps its own argument
  await tools.lookup({ id: length })
  expectCassette(cassette).not.toHaveCalledTool('lookup', { id: 'A-77' })
}

export const explain = (error: unknown): string => {
  if (error instanceof CassetteMismatchError) return error.details.differences.map(({ path }) => path).join()
  return isRetakeError(error) ? error.code : String(error instanceof RetakeError)
}
