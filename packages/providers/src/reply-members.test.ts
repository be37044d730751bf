import type { JsonObject, JsonValue } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { wires } from './routes.ts'
import type { Reply, Wire, WriteContext } from './wire.ts'
import { wireSamples } from './wire-samples.ts'

/** What vendors add to replies, and no wire knows by name. */

const bodies: Record<string, JsonObject> = {
  'openai.chat': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'm',
    provider: 'Host',
    choices: [
      {
        index: 0,
        native_finish_reason: 'STOP',
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: 'Hi',
          mood: { calm: true },
          tool_calls: [
            { id: 'c1', type: 'function', weight: 3, function: { name: 'f', arguments: '{}', origin: 'cache' } },
          ],
        },
      },
    ],
    usage: {
      prompt_tokens: 5,
      completion_tokens: 2,
      total_tokens: 9,
      cost: 0.25,
      queue_time: 0.1,
      prompt_tokens_details: { cached_tokens: 1, text_tokens: 4 },
    },
  },
  'openai.responses': {
    id: 'resp_1',
    object: 'response',
    model: 'm',
    status: 'completed',
    content_filters: [{ blocked: false, source: 'prompt' }],
    output: [
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        mood: 'calm',
        content: [{ type: 'output_text', text: 'Hi', annotations: [], tone: 'dry' }],
      },
    ],
    usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7, cost: 0.25, details: { audio: 3 } },
  },
  'anthropic.messages': {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    context_management: { applied_edits: [{ type: 'clear', cleared: 3 }] },
    content: [{ type: 'text', text: 'Hi', tone: 'dry' }],
    stop_reason: 'end_turn',
    usage: {
      input_tokens: 5,
      output_tokens: 2,
      cache_creation: { ephemeral_1h_input_tokens: 4 },
      iterations: [{ n: 1 }],
    },
  },
  'ollama.chat': {
    model: 'm',
    remote_model: 'm:120b',
    total_duration: 7,
    message: {
      role: 'assistant',
      content: 'Hi',
      mood: 'calm',
      tool_calls: [{ id: 'c1', type: 'function', function: { index: 0, name: 'f', arguments: {}, origin: 'cache' } }],
    },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 5,
    eval_count: 2,
  },
  'ai-gateway.language-model': {
    content: [
      { type: 'reasoning', text: 'Hm.', providerMetadata: { anthropic: { signature: 'c2ln' } } },
      { type: 'tool-call', toolCallId: 't1', toolName: 'f', input: '{}', dynamic: true },
    ],
    finishReason: { unified: 'tool-calls', raw: 'tool_use' },
    providerMetadata: { gateway: { cost: '0.0045' } },
    warnings: [{ type: 'other', message: 'x' }],
    usage: {
      inputTokens: { total: 5, noCache: 4, cacheRead: 1 },
      outputTokens: { total: 2, text: 1, reasoning: 1 },
    },
  },
  'bedrock.converse': {
    output: {
      message: {
        role: 'assistant',
        content: [{ toolUse: { toolUseId: 't1', name: 'f', input: {}, type: 'tool_use' } }],
      },
    },
    stopReason: 'tool_use',
    additionalModelResponseFields: { stop_sequence: 'x' },
    metrics: { latencyMs: 7 },
    trace: { promptRouter: { invokedModelId: 'm' } },
    usage: {
      inputTokens: 5,
      outputTokens: 2,
      totalTokens: 9,
      cacheReadInputTokens: 1,
      cacheDetails: [{ ttl: '5m', inputTokens: 1 }],
    },
  },
  'gemini.generate-content': {
    candidates: [
      {
        index: 0,
        finishReason: 'STOP',
        tokenCount: 7,
        content: { role: 'model', parts: [{ text: 'Hi', partMetadata: { tone: 'dry' } }] },
      },
    ],
    modelVersion: 'm',
    modelStatus: { modelStage: 'PREVIEW' },
    usageMetadata: {
      promptTokenCount: 5,
      candidatesTokenCount: 2,
      totalTokenCount: 8,
      toolUsePromptTokenCount: 1,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 5 }],
    },
  },
}

const contextOf = (wire: Wire, stream: boolean, { extras }: Reply): WriteContext => ({
  request: wireSamples[wire.name]?.request(stream) as WriteContext['request'],
  replyId: 'run1-2',
  timestamp: 0,
  extras,
})

const withoutTimes = (value: JsonValue): JsonValue =>
  JSON.parse(JSON.stringify(value, (name, member) => (/_time$|^(id|created)$/.test(name) ? undefined : member)))

const known = wires.flatMap((wire) => {
  const body = bodies[wire.name]
  return body ? [[wire.name, wire, body] as const] : []
})

describe.each(known)('%s', (_, wire, body) => {
  const reply = wire.readReply(body)

  test('members that nobody knows come back where they stood, and all counts', () => {
    const { body: written } = wire.writeReply(reply.turn, contextOf(wire, false, reply))
    expect(JSON.parse(String(written))).toMatchObject(withoutTimes(body) as JsonObject)
  })

  test('and come back in a stream, which reads the same', () => {
    const { body: events } = wire.writeReply(reply.turn, contextOf(wire, true, reply))
    const reader = wire.openStream()
    for (const event of events) reader.push(Buffer.from(event as Uint8Array))
    const again = reader.finish() as { reply: Reply }
    const blobs = ({ extras }: Reply) => [...(extras.opaque ?? [])].sort((a, b) => (a.kind < b.kind ? -1 : 1))
    expect(blobs(again.reply)).toEqual(blobs(reply))
    expect(again.reply.extras.tokens).toMatchObject(reply.extras.tokens ?? {})
  })
})
