import { compareValues, type Difference } from '@retake/compare'
import { fromModelOutput, toModelOutput } from '@retake/providers'
import {
  isRetakeError,
  type JsonObject,
  type JsonValue,
  type ModelInput,
  type ModelOutput,
  type StepExtras,
  type TraceStep,
} from '@retake/trace'
import type { Loss } from '../loss.ts'
import { toChatRequest } from './to-chat-request.ts'
import { wireOf } from './wire-of.ts'

/** A body and what of the step it does not say. */
export interface WrittenBody {
  body: JsonObject
  lost: Loss[]
}

const { wire, toRequest } = wireOf('openai.chat')

/** A `model_input` step as the body of a Chat Completions request. */
export function writeRequest({ index, payload }: TraceStep): WrittenBody {
  const input = payload as ModelInput
  const body = toChatRequest(input)
  return { body, lost: lossesOf(index, input, () => wire.readRequest(toRequest(body))) }
}

/** A `model_output` step as the body of a Chat Completions reply. Without counts of tokens it has no usage. */
export function writeReply(step: TraceStep, model: string | undefined, extras: StepExtras | undefined): WrittenBody {
  const output = step.payload as ModelOutput
  const { timestamp, index } = step
  const request = toRequest({ model: model ?? '', messages: [] })
  const { step: _, ...beside } = extras ?? { step: index }
  const answer = wire.writeReply(fromModelOutput(output), {
    request,
    replyId: String(index),
    timestamp,
    extras: beside,
  })
  const { usage, ...body } = JSON.parse(answer.body as string) as JsonObject
  const told = extras?.tokens ? { ...body, ...(usage !== undefined && { usage }) } : body
  return { body: told, lost: lossesOf(index, output, () => toModelOutput(wire.readReply(told).turn)) }
}

/** What was written is read again: whatever that does not give back is lost. */
function lossesOf(step: number, said: unknown, readBack: () => unknown): Loss[] {
  try {
    return compareValues(said as JsonValue, readBack() as JsonValue).map((difference) => toLoss(step, difference))
  } catch (error) {
    if (!isRetakeError(error)) throw error
    return [{ where: `step ${step}`, what: `it cannot be read again: ${error.message.split('\n')[0]}` }]
  }
}

const words = { added: 'reads as if it had been there', removed: 'is left out', changed: 'reads as another value' }

const toLoss = (step: number, { path, kind }: Difference): Loss => ({
  where: `step ${step} payload${path.startsWith('[') ? '' : '.'}${path}`,
  what: `${words[kind]} in a Chat Completions body`,
})
