import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@retake/trace'
import { isNothing, toObject } from '../json-members.ts'
import { type RequestFields, withoutDialect } from '../request-fields.ts'

/** Messages whose members are fields of their own. */
const nested = ['inferenceConfig', 'toolConfig', 'outputConfig']

/** The fields of a request in one list: those of its settings by their path. */
export const flatten = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]): [string, JsonValue][] =>
      nested.includes(name) && isJsonObject(value)
        ? Object.entries(value).map(([member, one]) => [`${name}.${member}`, one])
        : [[name, value]],
    ),
  )

/** Fields of a Converse request (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html). */
export const requestFields: RequestFields = {
  read: ['messages', 'system', 'toolConfig.tools'],
  compared: {
    'inferenceConfig.maxTokens': 'maxTokens',
    'inferenceConfig.temperature': 'temperature',
    'inferenceConfig.topP': 'topP',
    'inferenceConfig.stopSequences': 'stop',
    'toolConfig.toolChoice': 'toolChoice',
    'outputConfig.textFormat': 'responseFormat',
    'outputConfig.effort': 'reasoningEffort',
    guardrailConfig: 'guardrails',
    additionalModelRequestFields: 'modelFields',
    additionalModelResponseFieldPaths: 'modelReplyFields',
    promptVariables: 'promptVariables',
  },
  ignored: ['requestMetadata', 'performanceConfig', 'serviceTier'],
  refused: {},
  normalize,
}

function normalize(name: string, value: JsonValue): JsonValue | undefined {
  if (name === 'toolConfig.toolChoice') return isAuto(value) ? undefined : value
  return name === 'outputConfig.textFormat' ? toTextFormat(value) : value
}

const isAuto = (choice: JsonValue): boolean =>
  isJsonObject(choice) && Object.keys(choice).length === 1 && 'auto' in choice && isNothing(choice.auto)

/** The schema is the text of one, which clients print in their own ways. */
function toTextFormat(value: JsonValue): JsonValue {
  const { structure, ...format } = toObject(value)
  const { jsonSchema, ...others } = toObject(structure)
  const { schema, ...named } = toObject(jsonSchema)
  const parsed = typeof schema === 'string' ? parseJson(schema) : undefined
  if (parsed === undefined) return value
  return { ...format, structure: { ...others, jsonSchema: { ...named, schema: withoutDialect(parsed) } } }
}
