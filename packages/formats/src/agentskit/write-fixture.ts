import type { WireError } from '@retake/providers'
import {
  isJsonObject,
  type ModelError,
  type ModelInput,
  type ModelOutput,
  type ToolCallPayload,
  type TraceStep,
} from '@retake/trace'
import type { Loss } from '../loss.ts'
import type { Run, WrittenRun } from '../run-format.ts'
import type { AdapterRequest } from './adapter.ts'
import { type AdapterCassette, createAdapterCassette } from './adapter-cassette.ts'
import { createReplayFixture, serializeReplayFixture } from './replay-fixture.ts'
import { toChunks, toFailedChunks } from './to-chunks.ts'
import { toMessages } from './to-messages.ts'

/** A fixture of a run, without decisions of an application. */
export function writeFixture(run: Run): WrittenRun {
  const { cassette, lost } = toAgentskit(run)
  return { text: serializeReplayFixture(createReplayFixture(cassette, [])), lost }
}

/** What an adapter would have been asked and would have answered in a run. Each attempt is an entry of its own. */
export function toAgentskit({ trace, extras, test }: Run): { cassette: AdapterCassette; lost: Loss[] } {
  const cassette = createAdapterCassette()
  const lost: Loss[] = test ? [{ where: 'test', what: 'the name of the test' }] : []
  const beside = new Map(extras.map((entry) => [entry.step, entry]))
  let request: AdapterRequest | undefined
  let isAnswered = true
  const answer = (chunks: AdapterCassette['entries'][number]['chunks']) => {
    if (request) cassette.entries.push({ request, chunks })
    isAnswered = true
  }
  for (const step of trace.steps) {
    const { index, type, payload } = step
    const report = (what: string) => lost.push({ where: `step ${index}`, what })
    if (type === 'model_input') {
      if (!isAnswered) answer([])
      request = toRequest(step, report)
      isAnswered = false
    } else if (type === 'model_output') {
      const { tokens, chunks, opaque, servedModel } = beside.get(index) ?? {}
      if (opaque) report('what the provider needs for a continuation')
      if (servedModel !== undefined) report('the model that answered')
      answer(toChunks(payload as ModelOutput, { ...(tokens && { tokens }), ...(chunks && { chunks }) }, report))
    } else if (type === 'metadata' && isJsonObject(payload) && payload.event === 'model_error') {
      if (payload.status !== 200) report('the status of the failure')
      answer(toFailedChunks(payload as ModelError & WireError, report))
    } else if (type === 'tool_call') {
      const { origin } = payload as ToolCallPayload
      report(origin ? 'a call that no reply asked for' : 'when the tool ran')
    } else if (type === 'metadata' && !isOrdinaryEnd(step, trace.steps)) report('what it says')
  }
  if (!isAnswered) answer([])
  return { cassette, lost }
}

function toRequest({ payload, timestamp }: TraceStep, report: (what: string) => void): AdapterRequest {
  const { messages, tools, systemPrompt, model, params = {} } = payload as ModelInput
  const { maxTokens, temperature, ...others } = params
  if (model !== undefined) report('the model that is asked')
  for (const name of Object.keys(others)) report(`params.${name}`)
  for (const { name, kind, options } of tools) if (kind ?? options) report(`kind or options of the tool "${name}"`)
  const context = {
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof maxTokens === 'number' && { maxTokens }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        ...(inputSchema !== undefined && { schema: inputSchema }),
      })),
    }),
  }
  return {
    messages: toMessages(messages, new Date(timestamp), (at, what) => report(`messages[${at}]: ${what}`)),
    ...(Object.keys(context).length > 0 && { context }),
  }
}

/** The way back makes that step anew. */
const isOrdinaryEnd = ({ index, payload }: TraceStep, steps: readonly TraceStep[]): boolean =>
  index === steps.length - 1 && isJsonObject(payload) && payload.event === 'run_completed'
