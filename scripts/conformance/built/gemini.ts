import type { JsonObject } from '@retake/trace'
import { type Built, dataEvents, hosted, output, sources } from './built.ts'

const path = '/v1beta/models/m:generateContent'
const sse = '/v1beta/models/m:streamGenerateContent?alt=sse'
const array = '/v1beta/models/m:streamGenerateContent'
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const ask = (more: JsonObject = {}): JsonObject => ({ contents, ...more })
const docs = 'https://ai.google.dev/api/generate-content'
const usageMetadata = {
  promptTokenCount: 9,
  candidatesTokenCount: 5,
  totalTokenCount: 14,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 9 }],
}

const response = (parts: readonly object[], candidate: object = {}, more: object = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0, ...candidate }],
  usageMetadata,
  modelVersion: 'm-2026',
  responseId: 'r1',
  ...more,
})
const piece = (parts: readonly object[], candidate: object = {}) =>
  response(parts, { finishReason: undefined, ...candidate })
const call = (name: string, args: object, more: object = {}) => ({ functionCall: { name, args }, ...more })

const serverParts: Readonly<Record<string, [object, string]>> = {
  executableCode: [{ executableCode: { language: 'PYTHON', code: '1' } }, hosted],
  codeExecutionResult: [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }, hosted],
  toolCall: [{ toolCall: { toolType: 'GOOGLE_SEARCH', id: 't' } }, hosted],
  toolResponse: [{ toolResponse: { toolType: 'GOOGLE_SEARCH', id: 't' } }, hosted],
  inlineData: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }, output],
  fileData: [{ fileData: { mimeType: 'image/png', fileUri: 'gs://a' } }, output],
}
const extras: Readonly<Record<string, [unknown, string]>> = {
  groundingMetadata: [{ webSearchQueries: ['a'] }, sources],
  citationMetadata: [{ citations: [{ startIndex: 0, endIndex: 1 }] }, sources],
  citationSources: [undefined, sources],
  urlContextMetadata: [{ urlMetadata: [{ retrievedUrl: 'https://x.com' }] }, sources],
  logprobsResult: [{ chosenCandidates: [{ token: 'x', logProbability: -1 }] }, 'logprobs in the reply'],
}

export const gemini: Built[] = [
  ...Object.entries(serverParts).flatMap(([name, [part, refused]]): Built[] => [
    { name: `a part ${name}`, source: `${docs}#Part`, path, request: ask(), reply: response([part]), refused },
    {
      name: `a part ${name}, streamed`,
      source: `${docs}#Part`,
      path: sse,
      request: ask(),
      reply: dataEvents([piece([{ text: 'a' }]), response([part])]),
      refused,
    },
  ]),
  ...Object.entries(extras)
    .filter(([, [value]]) => value !== undefined)
    .map(
      ([name, [value, refused]]): Built => ({
        name: `a candidate with ${name}`,
        source: `${docs}#candidate`,
        path,
        request: ask(),
        reply: response([{ text: 'x' }], { [name]: value }),
        refused,
      }),
    ),
  {
    name: 'signatures, thoughts, and calls without ids',
    source: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
    path,
    request: ask({
      generationConfig: { thinkingConfig: { includeThoughts: true } },
      tools: [{ functionDeclarations: [{ name: 'f' }] }],
    }),
    reply: response([
      { text: 'Think.', thought: true },
      { text: 'First' },
      call('f', { a: 1 }, { thoughtSignature: 'c2ln' }),
      call('f', {}),
      call('f', { a: 1 }),
    ]),
  },
  {
    name: 'the same, streamed',
    source: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
    path: sse,
    request: ask(),
    reply: dataEvents([
      piece([{ text: 'Thi', thought: true }]),
      piece([{ text: 'nk.', thought: true }]),
      piece([{ text: 'First' }]),
      piece([call('f', { a: 1 }, { thoughtSignature: 'c2ln' }), call('g', {})]),
      response([{ text: '', thoughtSignature: 'ZW5k' }]),
    ]),
  },
  {
    name: 'a stream as a JSON array',
    source: `${docs}#method:-models.streamgeneratecontent`,
    path: array,
    request: ask(),
    reply: `[${JSON.stringify(piece([{ text: 'a' }]))}\n,\r\n${JSON.stringify(response([{ text: 'b "]},[' }]))}\n]`,
    type: 'application/json; charset=UTF-8',
  },
  {
    name: 'a stream as a JSON array whose last response gives no reason',
    source: `${docs}#method:-models.streamgeneratecontent`,
    path: array,
    request: ask(),
    reply: `[${JSON.stringify(piece([{ text: 'a' }]))}\n,\r\n${JSON.stringify(piece([{ text: 'b' }]))}\n]`,
    type: 'application/json; charset=UTF-8',
  },
  {
    name: 'fields in snake case',
    source: 'https://protobuf.dev/programming-guides/json/',
    path,
    request: {
      contents: [
        { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'iVBORw0=' } }, { text: 'Hi' }] },
      ],
      system_instruction: { parts: [{ text: 'Be short.' }] },
      generation_config: { max_output_tokens: 9, stop_sequences: ['a'], thinking_config: { thinking_budget: 0 } },
      safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] } },
      tools: [{ function_declarations: [{ name: 'f', parameters_json_schema: { type: 'object' } }] }],
    },
    reply: response([{ text: 'Hi' }]),
  },
  {
    name: 'a blocked prompt',
    source: `${docs}#PromptFeedback`,
    path,
    request: ask(),
    reply: {
      promptFeedback: {
        blockReason: 'SAFETY',
        safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'HIGH', blocked: true }],
      },
      usageMetadata,
      modelVersion: 'm',
    },
  },
  {
    name: 'a blocked prompt, streamed',
    source: `${docs}#PromptFeedback`,
    path: sse,
    request: ask(),
    reply: dataEvents([{ promptFeedback: { blockReason: 'OTHER' }, usageMetadata, modelVersion: 'm' }]),
  },
  ...[
    'MALFORMED_FUNCTION_CALL',
    'UNEXPECTED_TOOL_CALL',
    'TOO_MANY_TOOL_CALLS',
    'RECITATION',
    'SPII',
    'NO_IMAGE',
    'MISSING_THOUGHT_SIGNATURE',
    'A_NEW_ONE',
  ].map(
    (reason): Built => ({
      name: `a candidate without content that stops by ${reason}`,
      source: `${docs}#FinishReason`,
      path,
      request: ask(),
      reply: {
        candidates: [{ finishReason: reason, index: 0, finishMessage: 'Because.' }],
        usageMetadata,
        modelVersion: 'm',
      },
    }),
  ),
  {
    name: 'several candidates',
    source: `${docs}#generationconfig`,
    path,
    request: ask({ generationConfig: { candidateCount: 2 } }),
    reply: response([]),
    refused: 'n > 1',
  },
  {
    name: 'an image asked for',
    source: 'https://ai.google.dev/gemini-api/docs/image-generation',
    path,
    request: ask({ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }),
    reply: response([]),
    refused: output,
  },
  {
    name: 'cached content',
    source: 'https://ai.google.dev/gemini-api/docs/caching',
    path,
    request: ask({ cachedContent: 'cachedContents/a' }),
    reply: response([]),
    refused: 'cachedContent',
  },
  {
    name: 'a tool of Google',
    source: 'https://ai.google.dev/gemini-api/docs/google-search',
    path,
    request: ask({ tools: [{ googleSearch: {} }] }),
    reply: response([]),
    refused: hosted,
  },
  {
    name: 'tokens by modality and traffic',
    source: `${docs}#UsageMetadata`,
    path,
    request: ask(),
    reply: response(
      [{ text: 'Hi' }],
      { avgLogprobs: -0.5 },
      {
        usageMetadata: {
          ...usageMetadata,
          thoughtsTokenCount: 3,
          toolUsePromptTokenCount: 2,
          cachedContentTokenCount: 4,
          cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 4 }],
          trafficType: 'ON_DEMAND',
          quota: 'shared',
        },
        createTime: '2026-01-01T00:00:00Z',
      },
    ),
  },
  {
    name: 'arguments in pieces',
    source: 'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/function-calling',
    path: sse,
    request: ask({ toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } }),
    reply: dataEvents([
      piece([{ functionCall: { name: 'f', willContinue: true } }]),
      piece([
        {
          functionCall: {
            partialArgs: [{ jsonPath: '$.city', stringValue: 'Bos', willContinue: true }],
            willContinue: true,
          },
        },
      ]),
      piece([
        {
          functionCall: {
            partialArgs: [
              { jsonPath: '$.city', stringValue: 'ton' },
              { jsonPath: '$.days[0]', numberValue: 2 },
            ],
            willContinue: true,
          },
        },
      ]),
      piece([{ functionCall: {} }]),
      response([]),
    ]),
  },
  {
    name: 'what a call holds beside its arguments',
    source: '@google/genai FunctionCall, Part.mediaResolution, Part.partMetadata',
    path,
    request: ask(),
    reply: response([
      { functionCall: { id: 'x', name: 'f', args: { a: 1 }, origin: 'cache' }, partMetadata: { a: 1 } },
    ]),
  },
  {
    name: 'an error',
    source: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
    path: sse,
    request: ask(),
    status: 429,
    reply: {
      error: {
        code: 429,
        message: 'Quota',
        status: 'RESOURCE_EXHAUSTED',
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' }],
      },
    },
  },
  {
    name: 'an error in the middle',
    source: '@google/genai ApiError',
    path: sse,
    request: ask(),
    reply: dataEvents([
      piece([{ text: 'Hel' }]),
      { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } },
    ]),
  },
]
