import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { isNothing, toText } from '../json-members.ts'
import { type RequestFields, withoutDialect } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'
import { camelMembers } from './camel-members.ts'
import { readSchema } from './read-schema.ts'

/** Messages whose members are fields of their own. */
const nested = ['generationConfig', 'toolConfig']

/** The fields of a request in one list: those of its generation and tool settings by their path. */
export const flatten = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(camelMembers(body, isKnown)).flatMap(([name, value]): [string, JsonValue][] =>
      nested.includes(name) && isJsonObject(value)
        ? Object.entries(camelMembers(value, (member) => isKnown(`${name}.${member}`))).map(([member, one]) => [
            `${name}.${member}`,
            one,
          ])
        : [[name, value]],
    ),
  )

/** True for a field that the API documents; nobody can tell how another one is spelt. */
const isKnown = (path: string): boolean => {
  const { read, compared, ignored, refused } = requestFields
  return [...nested, ...read, ...ignored].includes(path) || path in compared || path in refused
}

const config = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([name, neutral]) => [`generationConfig.${name}`, neutral]))

/** Fields of a generateContent request (https://ai.google.dev/api/generate-content, Vertex AI's included). */
export const requestFields: RequestFields = {
  read: ['contents', 'systemInstruction', 'tools', 'model'],
  compared: {
    ...config({
      maxOutputTokens: 'maxTokens',
      temperature: 'temperature',
      topP: 'topP',
      topK: 'topK',
      stopSequences: 'stop',
      seed: 'seed',
      candidateCount: 'n',
      presencePenalty: 'presencePenalty',
      frequencyPenalty: 'frequencyPenalty',
      responseMimeType: 'responseMimeType',
      responseSchema: 'responseSchema',
      responseJsonSchema: 'responseSchema',
      _responseJsonSchema: 'responseSchema',
      responseFormat: 'responseFormat',
      responseModalities: 'modalities',
      responseLogprobs: 'logprobs',
      logprobs: 'topLogprobs',
      thinkingConfig: 'thinking',
      mediaResolution: 'mediaResolution',
      routingConfig: 'routing',
      modelSelectionConfig: 'modelSelection',
      audioTimestamp: 'audioTimestamp',
      audioTranscriptionConfig: 'audioTranscription',
      enableAffectiveDialog: 'affectiveDialog',
      enableEnhancedCivicAnswers: 'civicAnswers',
      translationConfig: 'translation',
    }),
    'toolConfig.functionCallingConfig': 'toolChoice',
    'toolConfig.retrievalConfig': 'retrieval',
    'toolConfig.includeServerSideToolInvocations': 'serverToolInvocations',
    safetySettings: 'safetySettings',
    modelArmorConfig: 'modelArmor',
  },
  ignored: ['labels', 'serviceTier', 'store'],
  refused: {
    cachedContent: 'cachedContent',
    continuationToken: 'continuation tokens',
    'generationConfig.speechConfig': 'audio or image output',
    'generationConfig.imageConfig': 'audio or image output',
  },
  normalize,
}

function normalize(path: string, value: JsonValue): JsonValue | undefined {
  switch (path.slice(path.lastIndexOf('.') + 1)) {
    case 'candidateCount':
      if (typeof value === 'number' && value > 1) throw unsupported('n > 1', path)
      return value === 1 ? undefined : value
    case 'responseModalities':
      return toModalities(value, path)
    case 'responseLogprobs':
      return value === false ? undefined : value
    case 'responseSchema':
      return readSchema(value)
    case 'responseJsonSchema':
    case '_responseJsonSchema':
      return withoutDialect(value)
    case 'functionCallingConfig':
      return isJsonObject(value) ? toToolChoice(value) : value
    case 'thinkingConfig':
      return isJsonObject(value) ? camelMembers(value) : value
    default:
      return value
  }
}

const toModalities = (value: JsonValue, path: string): JsonValue | undefined => {
  if (!Array.isArray(value)) return value
  const others = value.filter((modality) => toText(modality).toUpperCase() !== 'TEXT')
  if (others.length > 0) throw unsupported('audio or image output', path)
  return undefined
}

function toToolChoice(value: JsonObject): JsonValue | undefined {
  // It only lets arguments arrive in pieces.
  const { streamFunctionCallArguments: _, ...choice } = camelMembers(value)
  const given = Object.fromEntries(Object.entries(choice).filter(([, member]) => !isNothing(member)))
  const isDefault = Object.keys(given).length === 0 || (given.mode === 'AUTO' && Object.keys(given).length === 1)
  return isDefault ? undefined : given
}
