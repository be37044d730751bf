import type { JsonObject } from '@retake/trace'
import { type Built, hosted, sources } from './built.ts'

const usage = { inputTokens: 9, outputTokens: 5, totalTokens: 14 }
const messages = [{ role: 'user', content: [{ text: 'Hi' }] }]
const converse = '/model/m/converse'
const aws = 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html'
const reply = (content: readonly object[], more: object = {}) => ({
  output: { message: { role: 'assistant', content } },
  stopReason: 'end_turn',
  usage,
  metrics: { latencyMs: 12 },
  ...more,
})

const bedrock: Built[] = [
  {
    name: 'Converse: thinking and calls',
    source: aws,
    path: converse,
    request: { messages, additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } } },
    reply: reply(
      [
        { reasoningContent: { reasoningText: { text: 'Think', signature: 'c2ln' } } },
        { reasoningContent: { redactedContent: 'ZW5j' } },
        { text: 'Look' },
        { toolUse: { toolUseId: 'tooluse_1', name: 'f', input: { a: 1 } } },
        { toolUse: { toolUseId: 'tooluse_2', name: 'f', input: {} } },
      ],
      { stopReason: 'tool_use' },
    ),
  },
  ...[
    'guardrail_intervened',
    'content_filtered',
    'stop_sequence',
    'max_tokens',
    'malformed_model_output',
    'malformed_tool_use',
    'model_context_window_exceeded',
  ].map(
    (stopReason): Built => ({
      name: `Converse: stops by ${stopReason}`,
      source: aws,
      path: converse,
      request: { messages },
      reply: reply([{ text: 'x' }], { stopReason, additionalModelResponseFields: { stop_sequence: 'END' } }),
    }),
  ),
  {
    name: 'Converse: a trace of guardrails',
    source: aws,
    path: converse,
    request: { messages, guardrailConfig: { guardrailIdentifier: 'g', guardrailVersion: '1', trace: 'enabled' } },
    reply: reply([{ text: 'x' }], { trace: { guardrail: { actionReason: 'r' } } }),
  },
  {
    name: 'Converse: citations',
    source: aws,
    path: converse,
    request: { messages },
    reply: reply([{ citationsContent: { content: [{ text: 'x' }], citations: [{ title: 't' }] } }]),
    refused: sources,
  },
  {
    name: 'Converse: what the cache and the tier come to',
    source: aws,
    path: converse,
    request: { messages },
    reply: reply([{ text: 'x' }], {
      usage: {
        ...usage,
        cacheReadInputTokens: 2,
        cacheWriteInputTokens: 3,
        cacheDetails: [{ ttl: '5m', inputTokens: 3 }],
      },
      performanceConfig: { latency: 'standard' },
      serviceTier: { type: 'default' },
    }),
  },
  {
    name: 'Converse: an error',
    source: aws,
    path: converse,
    request: { messages },
    status: 400,
    reply: { message: 'Malformed input request' },
  },
  {
    name: 'Converse: a system tool',
    source: aws,
    path: converse,
    request: { messages, toolConfig: { tools: [{ systemTool: { name: 'nova_grounding' } }] } },
    reply: reply([{ text: 'x' }]),
    refused: hosted,
  },
]

const chat = '/api/chat'
const ollamaDocs = 'https://docs.ollama.com/api/chat'
const ask = (more: JsonObject = {}): JsonObject => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Hi', images: ['iVBORw0='] }],
  ...more,
})
const line = (message: object, more: object = {}) => ({
  model: 'm',
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', content: '', ...message },
  done: false,
  ...more,
})
const over = {
  done: true,
  done_reason: 'stop',
  total_duration: 5,
  load_duration: 1,
  prompt_eval_count: 9,
  prompt_eval_duration: 2,
  eval_count: 5,
  eval_duration: 2,
}
const lines = (all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')
const ndjson = 'application/x-ndjson'

const ollama: Built[] = [
  {
    name: 'Ollama: thinking, calls and images',
    source: ollamaDocs,
    path: chat,
    request: ask({ think: 'high', stream: false, options: { num_ctx: 10 }, format: { type: 'object' } }),
    reply: line(
      {
        thinking: 'Hm',
        content: 'Hi',
        tool_calls: [{ id: 'call_1', function: { index: 0, name: 'f', arguments: { a: 1.0, b: [null] } } }],
      },
      over,
    ),
  },
  {
    name: 'Ollama: the same, streamed',
    source: ollamaDocs,
    path: chat,
    request: ask({ think: true }),
    reply: lines([
      line({ thinking: 'H' }),
      line({ thinking: 'm' }),
      line({ content: 'Hi' }),
      line({ tool_calls: [{ function: { name: 'f', arguments: {} } }, { function: { name: 'f', arguments: {} } }] }),
      line({}, over),
    ]),
    type: ndjson,
  },
  {
    name: 'Ollama: an error in the middle',
    source: 'https://docs.ollama.com/api/errors',
    path: chat,
    request: ask(),
    reply: lines([line({ content: 'Hel' }), { error: 'the model stopped' }]),
    type: ndjson,
  },
  {
    name: 'Ollama: no model',
    source: 'https://docs.ollama.com/api/errors',
    path: chat,
    request: ask(),
    status: 404,
    reply: { error: 'model not found' },
  },
  {
    name: 'Ollama: a model that only loads',
    source: ollamaDocs,
    path: chat,
    request: { model: 'm', messages: [], stream: false },
    reply: line({}, { done: true, done_reason: 'load' }),
  },
  {
    name: 'Ollama: log probabilities',
    source: ollamaDocs,
    path: chat,
    request: ask({ logprobs: true, stream: false }),
    reply: line({ content: 'x' }, { ...over, logprobs: [{ token: 'x', logprob: -1 }] }),
    refused: 'logprobs in the reply',
  },
]

const sides: Built[] = [
  {
    name: 'embeddings as floats',
    source: 'https://platform.openai.com/docs/api-reference/embeddings',
    path: '/v1/embeddings',
    request: { model: 'm', input: ['a', 'b'], dimensions: 2 },
    reply: {
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.1, -0.25] },
        { object: 'embedding', index: 1, embedding: [1e-7, 3] },
      ],
      model: 'm',
      usage: { prompt_tokens: 2, total_tokens: 2 },
    },
  },
  {
    name: 'embeddings as base64',
    source: 'https://platform.openai.com/docs/api-reference/embeddings',
    path: '/v1/embeddings',
    request: { model: 'm', input: 'a', encoding_format: 'base64' },
    reply: {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: 'zczMPQAAgL4=' }],
      model: 'm',
      usage: { prompt_tokens: 2, total_tokens: 2 },
    },
  },
  {
    name: 'moderation',
    source: 'https://platform.openai.com/docs/api-reference/moderations',
    path: '/v1/moderations',
    request: { model: 'omni-moderation-latest', input: [{ type: 'text', text: 'a' }] },
    reply: {
      id: 'modr-1',
      model: 'm',
      results: [
        {
          flagged: false,
          categories: { hate: false },
          category_scores: { hate: 1e-9 },
          category_applied_input_types: { hate: ['text'] },
        },
      ],
    },
  },
  {
    name: 'embedContent',
    source: 'https://ai.google.dev/api/embeddings',
    path: '/v1beta/models/m:embedContent',
    request: { content: { parts: [{ text: 'a' }] }, taskType: 'RETRIEVAL_QUERY' },
    reply: { embedding: { values: [0.1, 0.2] } },
  },
  {
    name: 'batchEmbedContents',
    source: 'https://ai.google.dev/api/embeddings',
    path: '/v1beta/models/m:batchEmbedContents',
    request: { requests: [{ model: 'models/m', content: { parts: [{ text: 'a' }] } }] },
    reply: { embeddings: [{ values: [0.1] }] },
  },
  {
    name: 'rerank',
    source: 'https://docs.cohere.com/reference/rerank',
    path: '/v2/rerank',
    request: { model: 'm', query: 'a', documents: ['b', 'c'] },
    reply: { id: '1', results: [{ index: 1, relevance_score: 0.9 }], meta: { billed_units: { search_units: 1 } } },
  },
]

export const cloudAndLocal: Built[] = [...bedrock, ...ollama, ...sides]
