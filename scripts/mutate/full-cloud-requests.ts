import type { WireRequest } from '@retake/providers'
import type { JsonObject } from '@retake/trace'
import { fullMessages } from './full-chat-and-messages.ts'

const { model: _, stream: __, ...messages } = fullMessages.body
const cloudBody: JsonObject = {
  ...messages,
  anthropic_version: 'vertex-2023-10-16',
  anthropic_beta: ['context-1m-2025-08-07'],
}

export const fullVertexMessages: WireRequest = {
  url: 'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/publishers/anthropic/models/claude-sonnet-5-5:rawPredict',
  headers: {},
  body: cloudBody,
}

export const fullBedrockMessages: WireRequest = {
  url: 'https://bedrock-runtime.eu-west-1.amazonaws.com/model/anthropic.claude-sonnet-5-5-v1%3A0/invoke',
  headers: {},
  body: { ...cloudBody, anthropic_version: 'bedrock-2023-05-31' },
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'
const schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }

export const fullConverse: WireRequest = {
  url: 'https://bedrock-runtime.eu-west-1.amazonaws.com/model/eu.amazon.nova-pro-v1%3A0/converse',
  headers: {},
  body: {
    system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }],
    messages: [
      {
        role: 'user',
        content: [
          { text: 'What is on these?' },
          { image: { format: 'png', source: { bytes: png } } },
          { document: { format: 'pdf', name: 'bill', source: { bytes: png } } },
          { cachePoint: { type: 'default' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'Let me see.', signature: 'c2ln' } } },
          { text: 'I look.' },
          { toolUse: { toolUseId: 'tooluse_1', name: 'lookup', input: { id: 'a', deep: [1, null] } } },
          { toolUse: { toolUseId: 'tooluse_2', name: 'lookup', input: { id: 'b' } } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'tooluse_1', content: [{ json: { late: true } }], status: 'success' } },
          { toolResult: { toolUseId: 'tooluse_2', content: [{ text: 'no such' }], status: 'error' } },
        ],
      },
    ],
    inferenceConfig: { maxTokens: 100, temperature: 0.2, topP: 0.9, stopSequences: ['END', 'STOP'] },
    toolConfig: {
      tools: [
        { toolSpec: { name: 'lookup', description: 'Looks up.', inputSchema: { json: schema }, strict: true } },
        { toolSpec: { name: 'note', inputSchema: { json: schema } } },
      ],
      toolChoice: { tool: { name: 'lookup' } },
    },
    guardrailConfig: { guardrailIdentifier: 'g', guardrailVersion: '1' },
    additionalModelRequestFields: { topK: 20 },
    promptVariables: { city: { text: 'Paris' } },
    requestMetadata: { team: 'x' },
    performanceConfig: { latency: 'optimized' },
    serviceTier: { type: 'flex' },
  },
}

export const fullGatewayCall: WireRequest = {
  url: 'https://ai-gateway.vercel.sh/v4/ai/language-model',
  headers: { 'ai-language-model-id': 'openai/gpt-5', 'ai-language-model-streaming': 'false' },
  body: {
    prompt: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is on these?' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } },
          { type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'https://example.com/cat.png' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Let me see.' },
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'call_1', toolName: 'lookup', input: { id: 'a', deep: [1, null] } },
          { type: 'tool-call', toolCallId: 'call_2', toolName: 'lookup', input: { id: 'b' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'call_1', toolName: 'lookup', output: { type: 'text', value: 'late' } },
          {
            type: 'tool-result',
            toolCallId: 'call_2',
            toolName: 'lookup',
            output: { type: 'error-text', value: 'no such' },
          },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
    ],
    tools: [
      { type: 'function', name: 'lookup', description: 'Looks up.', inputSchema: schema, strict: true },
      { type: 'function', name: 'note', inputSchema: schema },
    ],
    toolChoice: { type: 'tool', toolName: 'lookup' },
    maxOutputTokens: 100,
    temperature: 0.2,
    topP: 0.9,
    topK: 40,
    stopSequences: ['END', 'STOP'],
    presencePenalty: 0.1,
    frequencyPenalty: 0.1,
    seed: 7,
    reasoning: 'high',
    responseFormat: { type: 'json', schema, name: 'order' },
    providerOptions: { openai: { store: false } },
    headers: { 'x-team': 'x' },
    includeRawChunks: false,
  },
}
