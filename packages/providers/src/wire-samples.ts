import type { JsonObject } from '@retake/trace'
import type { Tokens } from './extras.ts'
import type { WireRequest } from './wire.ts'

/** What the contract of all wires must know of one: a request in its shape, and what its replies cannot tell. */
export interface WireSample {
  request(stream: boolean, members?: JsonObject): WireRequest
  /** Members that change no answer, or say what their absence says. */
  ignored: JsonObject
  /** Members that are malformed, and the paths under which the values of them are kept. */
  malformed: { members: JsonObject; kept: JsonObject }
  /** Titles of turns that only another wire can tell. */
  untold: readonly string[]
  /** [true] */
  hasTerminator?: boolean
  /** Other bytes that say the same as those of a stream. [server-sent events in every dress] */
  dresses?(stream: string): [string, string][]
  /** Token counts that its replies cannot tell. */
  uncounted?: readonly (keyof Tokens)[]
  /** False where a reply does not tell which model made it. [true] */
  tellsModel?: boolean
  /** A host that wants a key. [api.example.com] */
  host?: string
}

const request = (body: (stream: boolean) => JsonObject, url = 'https://api.example.com/') =>
  ({
    request: (stream, members = {}) => ({ url, headers: {}, body: { ...body(stream), ...members } }),
  }) satisfies Partial<WireSample>

const messagesSample = (toolChoice: JsonObject | string): WireSample => ({
  ...request((stream) => ({
    model: 'model-a',
    max_tokens: 10,
    messages: [{ role: 'user', content: 'Hi' }],
    stream,
  })),
  ignored: {
    stream: true,
    metadata: { user_id: 'u' },
    service_tier: 'auto',
    temperature: null,
    tools: [],
    tool_choice: toolChoice,
  },
  malformed: {
    members: { messages: ['text', { role: 'wizard', content: 'x' }, { role: 'user', content: 7 }] },
    kept: {
      'messages[0]': 'text',
      'messages[1]': { role: 'wizard', content: 'x' },
      'messages[2].content': 7,
    },
  },
  untold: [],
})

/** Titles of turns that need the text of arguments: here they are an object, in one piece. */
const argumentsAreAnObject = [
  'arguments with white space',
  'arguments cut at the limit',
  'arguments with an integer that does not fit',
  'a call without any argument text',
]

const geminiSample: WireSample = {
  request: (stream, members = {}) => ({
    url: `https://api.example.com/v1beta/models/model-a:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: {},
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { maxOutputTokens: 10 },
      ...members,
    },
  }),
  ignored: {
    labels: { team: 'x' },
    serviceTier: 'standard',
    store: false,
    safetySettings: [],
    tools: [],
    model: 'models/model-a',
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    generationConfig: { maxOutputTokens: 10, temperature: null, candidateCount: 1, responseModalities: ['TEXT'] },
    generation_config: null,
  },
  malformed: {
    members: { contents: ['text', { role: 'wizard', parts: [{ text: 'x' }] }, { role: 'user', parts: 7 }] },
    kept: {
      'contents[0]': 'text',
      'contents[1]': { role: 'wizard', parts: [{ text: 'x' }] },
      'contents[2].parts': 7,
    },
  },
  untold: [
    // STOP says that the model is done, calls or not.
    'calls with an ordinary end',
    ...argumentsAreAnObject,
  ],
  hasTerminator: false,
}

const ollamaSample: WireSample = {
  ...request((stream) => ({
    model: 'model-a',
    messages: [{ role: 'user', content: 'Hi' }],
    options: { num_predict: 10 },
    stream,
  })),
  ignored: {
    stream: true,
    keep_alive: '5m',
    format: '',
    think: null,
    logprobs: false,
    tools: [],
    options: { num_predict: 10, temperature: null },
  },
  malformed: {
    members: { messages: ['text', { role: 'wizard', content: 'x' }, { role: 'user', content: 7 }] },
    kept: {
      'messages[0]': 'text',
      'messages[1]': { role: 'wizard', content: 'x' },
      'messages[2].content': 7,
    },
  },
  untold: [
    ...argumentsAreAnObject,
    // `stop` says that the model is done, calls or not.
    'calls with an ordinary end',
    // No member and no reason tells a refusal.
    'a refusal',
    'text beside a refusal',
  ],
  dresses: (stream) => [
    ['with CR LF', stream.replaceAll('\n', '\r\n')],
    ['with empty lines', stream.replaceAll('\n', '\n\n')],
  ],
  uncounted: ['cacheRead', 'cacheWrite', 'reasoning'],
  host: 'ollama.com',
}

const { request: _, ...messagesTraits } = messagesSample({ type: 'auto' })

/** A Messages request in another cloud, whose path holds the model. */
const cloudSample = (version: string, path: (stream: boolean) => string): WireSample => ({
  ...messagesTraits,
  request: (stream, members = {}) => ({
    url: `https://api.example.com${path(stream)}`,
    headers: {},
    body: {
      anthropic_version: version,
      max_tokens: 10,
      messages: [{ role: 'user', content: 'Hi' }],
      stream,
      ...members,
    },
  }),
  // Those of Anthropic's own stream.
  dresses: () => [],
})

const converseSample: WireSample = {
  request: (stream, members = {}) => ({
    url: `https://api.example.com/model/model-a/${stream ? 'converse-stream' : 'converse'}`,
    headers: {},
    body: {
      messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
      inferenceConfig: { maxTokens: 10 },
      ...members,
    },
  }),
  ignored: {
    requestMetadata: { team: 'x' },
    performanceConfig: { latency: 'standard' },
    serviceTier: { type: 'default' },
    system: [{ cachePoint: { type: 'default' } }],
    inferenceConfig: { maxTokens: 10, temperature: null },
    toolConfig: { tools: [{ cachePoint: { type: 'default' } }], toolChoice: { auto: {} } },
  },
  malformed: {
    members: { messages: ['text', { role: 'wizard', content: [] }, { role: 'user', content: 7 }] },
    kept: {
      'messages[0]': 'text',
      'messages[1]': { role: 'wizard', content: [] },
      'messages[2].content': 7,
    },
  },
  untold: [
    // No member tells a refusal.
    'a refusal',
    'text beside a refusal',
  ],
  uncounted: ['reasoning'],
  tellsModel: false,
}

const gatewaySample: WireSample = {
  request: (stream, members = {}) => ({
    url: 'https://api.example.com/v4/ai/language-model',
    headers: { 'ai-language-model-id': 'model-a', 'ai-language-model-streaming': String(stream) },
    body: {
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      maxOutputTokens: 10,
      ...members,
    },
  }),
  ignored: {
    headers: { 'user-agent': 'ai/7' },
    includeRawChunks: true,
    toolChoice: { type: 'auto' },
    responseFormat: { type: 'text' },
    reasoning: 'provider-default',
    temperature: null,
    tools: [],
  },
  malformed: {
    members: { prompt: ['text', { role: 'wizard', content: 'x' }, { role: 'user', content: 7 }] },
    kept: {
      'prompt[0]': 'text',
      'prompt[1]': { role: 'wizard', content: 'x' },
      'prompt[2].content': 7,
    },
  },
  untold: [
    // No part tells a refusal.
    'a refusal',
    'text beside a refusal',
  ],
}

/** By the name of the wire. */
export const wireSamples: Readonly<Record<string, WireSample>> = {
  'openai.chat': messagesSample('auto'),
  'openai.responses': {
    ...request((stream) => ({
      model: 'model-a',
      max_output_tokens: 10,
      input: [{ role: 'user', content: 'Hi' }],
      stream,
    })),
    ignored: {
      stream: true,
      metadata: { user_id: 'u' },
      service_tier: 'auto',
      temperature: null,
      tools: [],
      tool_choice: 'auto',
      store: false,
      include: ['reasoning.encrypted_content'],
      text: { format: { type: 'text' } },
      truncation: 'disabled',
      previous_response_id: null,
      background: false,
      input: 'Hi',
    },
    malformed: {
      members: { input: ['text', { role: 'wizard', content: 'x' }, { role: 'user', content: 7 }] },
      kept: {
        'input[0]': 'text',
        'input[1]': { role: 'wizard', content: 'x' },
        'input[2].content': 7,
      },
    },
    // A status tells no call turn from an answer.
    untold: ['calls with an ordinary end'],
  },
  'anthropic.messages': messagesSample({ type: 'auto' }),
  'gemini.generate-content': geminiSample,
  'ollama.chat': ollamaSample,
  'bedrock.converse': converseSample,
  'ai-gateway.language-model': gatewaySample,
  'anthropic.vertex': cloudSample(
    'vertex-2023-10-16',
    (stream) => `/v1/projects/p/locations/l/publishers/anthropic/models/model-a:${stream ? 'streamRaw' : 'raw'}Predict`,
  ),
  'anthropic.bedrock': cloudSample(
    'bedrock-2023-05-31',
    (stream) => `/model/model-a/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
  ),
}
