import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { toObject } from '../json-members.ts'
import { type RequestFields, withoutDialect } from '../request-fields.ts'

/** Options of a call of a language model of the AI SDK, version 4 of its specification (package `@ai-sdk/provider`). */
export const requestFields: RequestFields = {
  read: ['prompt', 'tools'],
  compared: {
    maxOutputTokens: 'maxTokens',
    temperature: 'temperature',
    topP: 'topP',
    topK: 'topK',
    stopSequences: 'stop',
    presencePenalty: 'presencePenalty',
    frequencyPenalty: 'frequencyPenalty',
    seed: 'seed',
    responseFormat: 'responseFormat',
    toolChoice: 'toolChoice',
    reasoning: 'reasoningEffort',
    providerOptions: 'providerOptions',
  },
  // Headers of the client, and whether it wants to see what the provider sent.
  ignored: ['headers', 'includeRawChunks'],
  refused: {},
  normalize,
}

function normalize(name: string, value: JsonValue): JsonValue | undefined {
  const { type, schema, ...rest } = toObject(value)
  if (name === 'toolChoice') return type === 'auto' ? undefined : value
  if (name === 'reasoning') return value === 'provider-default' ? undefined : value
  if (name !== 'responseFormat') return value
  if (type === 'text') return undefined
  return schema === undefined ? value : { ...rest, type: type ?? null, schema: withoutDialect(schema) }
}

/** What options of a provider say beside marks for a cache. */
export const withoutCacheMarks = (options: JsonValue | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(toObject(options)).flatMap(([provider, given]): [string, JsonValue][] => {
      const { cacheControl: _, cachePoint: __, cache_control: ___, ...rest } = toObject(given)
      return isJsonObject(given) && Object.keys(rest).length === 0
        ? []
        : [[provider, isJsonObject(given) ? rest : given]]
    }),
  )
