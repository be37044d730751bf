import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { type RequestFields, withoutDialect } from '../request-fields.ts'

/** The fields of a request in one list: its options by their path. */
export const flatten = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]): [string, JsonValue][] =>
      name === 'options' && isJsonObject(value)
        ? Object.entries(value).map(([option, one]) => [`options.${option}`, one])
        : [[name, value]],
    ),
  )

/** Options with names that other wires have too. */
const shared: Readonly<Record<string, string>> = {
  num_predict: 'maxTokens',
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  stop: 'stop',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
}

/** Options of the runner (https://docs.ollama.com/modelfile#valid-parameters-and-values). All may change the answer. */
const own = [
  'numa',
  'num_ctx',
  'num_batch',
  'num_gpu',
  'main_gpu',
  'low_vram',
  'f16_kv',
  'logits_all',
  'vocab_only',
  'use_mmap',
  'use_mlock',
  'embedding_only',
  'num_thread',
  'num_keep',
  'min_p',
  'tfs_z',
  'typical_p',
  'repeat_last_n',
  'repeat_penalty',
  'mirostat',
  'mirostat_tau',
  'mirostat_eta',
  'penalize_newline',
]

const toCamel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const options = { ...Object.fromEntries(own.map((name) => [name, toCamel(name)])), ...shared }

/** Fields of a chat request (https://docs.ollama.com/api/chat). */
export const requestFields: RequestFields = {
  read: ['model', 'messages', 'tools'],
  compared: {
    ...Object.fromEntries(Object.entries(options).map(([name, neutral]) => [`options.${name}`, neutral])),
    format: 'responseFormat',
    think: 'thinking',
    truncate: 'truncate',
    shift: 'shift',
    logprobs: 'logprobs',
    top_logprobs: 'topLogprobs',
  },
  ignored: ['stream', 'keep_alive'],
  refused: {},
  normalize,
}

function normalize(name: string, value: JsonValue): JsonValue | undefined {
  if (name === 'format') return value === '' ? undefined : withoutDialect(value)
  if (name === 'logprobs') return value === false ? undefined : value
  if (name === 'top_logprobs') return value === 0 ? undefined : value
  return value
}
