import {
  type BedrockRuntimeClientConfig,
  BedrockRuntimeClient as Client,
  type ContentBlock,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  type Message,
} from '@aws-sdk/client-bedrock-runtime'
import { NodeHttp2Handler, NodeHttpHandler } from '@smithy/node-http-handler'
import { expect, test, vi } from 'vitest'
import { exceptionFrame, failureFrame } from '../support/fake-provider/aws-frames.ts'
import { bedrockError, type ConverseTurn, converseReply, converseStream } from '../support/fake-provider/bedrock.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'
import { hideHost } from '../support/host-alias.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { outcomeOf, recordAndReplay } from './record-and-replay.ts'

/** What an agent sees through the client of AWS, over HTTP/1. */

const clientAt = (endpoint: string, options: BedrockRuntimeClientConfig = {}): Client =>
  new Client({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKIDFORTESTS', secretAccessKey: 'not-a-secret' },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
    ...options,
  })

const modelId = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
const question: Message = { role: 'user', content: [{ text: 'What is it like in Paris?' }] }
const base: ConverseCommandInput = {
  modelId,
  messages: [question],
  system: [{ text: 'Answer briefly.' }],
  inferenceConfig: { maxTokens: 500 },
  toolConfig: {
    tools: ['get_weather', 'get_time'].map((name) => ({
      toolSpec: { name, description: `Tells ${name}.`, inputSchema: { json: { type: 'object' } } },
    })),
  },
}

type Ask = (url: string, messages: Message[]) => Promise<{ content: ContentBlock[]; rest: unknown }>

const asJson: Ask = async (url, messages) => {
  const { output, $metadata: _, ...rest } = await clientAt(url).send(new ConverseCommand({ ...base, messages }))
  return { content: output?.message?.content ?? [], rest }
}

/** The blocks put together, and every event without its texts. */
const asStream: Ask = async (url, messages) => {
  const { stream = [] } = await clientAt(url).send(new ConverseStreamCommand({ ...base, messages }))
  const blocks: Record<string, string>[] = []
  const events: ConverseStreamOutput[] = []
  for await (const event of stream) {
    events.push(event)
    const { contentBlockIndex = 0 } = event.contentBlockStart ?? event.contentBlockDelta ?? {}
    const { toolUse } = event.contentBlockStart?.start ?? {}
    const { text, toolUse: input, reasoningContent } = event.contentBlockDelta?.delta ?? {}
    const block = blocks[contentBlockIndex] ?? {}
    blocks[contentBlockIndex] = block
    if (toolUse) Object.assign(block, { id: toolUse.toolUseId, name: toolUse.name, input: '' })
    if (text) block.text = (block.text ?? '') + text
    if (input) block.input = (block.input ?? '') + (input.input ?? '')
    if (reasoningContent?.text) block.thinking = (block.thinking ?? '') + reasoningContent.text
    if (reasoningContent?.signature) block.signature = reasoningContent.signature
  }
  const content = blocks.map(({ id, name, input, text, thinking, signature }): ContentBlock => {
    if (id) return { toolUse: { toolUseId: id, name, input: JSON.parse(input ?? '') } }
    return text === undefined ? { reasoningContent: { reasoningText: { text: thinking, signature } } } : { text }
  })
  return { content, rest: JSON.parse(JSON.stringify(events).replaceAll(/"toolUseId":"[^"]*"/g, '"toolUseId":"id"')) }
}

const loop = (ask: Ask) =>
  async function agent(url: string) {
    const messages = [question]
    const turns: unknown[] = []
    for (;;) {
      const { content, rest } = await ask(url, messages)
      turns.push({ content: JSON.parse(JSON.stringify(content)), rest })
      messages.push({ role: 'assistant', content })
      const results = content.flatMap(({ toolUse }) =>
        toolUse ? [{ toolResult: { toolUseId: toolUse.toolUseId, content: [{ text: `${toolUse.name}: fine` }] } }] : [],
      )
      if (results.length === 0) return turns
      messages.push({ role: 'user', content: results })
    }
  }

const script = (): Scripted[] => {
  const look: ConverseTurn = {
    content: [
      { reasoningContent: { reasoningText: { text: 'Which city? Paris.', signature: 'c2lnbmF0dXJl' } } },
      { text: 'Let me look – 日本 😀.' },
      { toolUse: { toolUseId: 'tooluse_sjghko585z', name: 'get_weather', input: { city: 'Paris' } } },
      { toolUse: { toolUseId: 'tooluse_uiSZBrnqkD', name: 'get_time', input: { city: 'Paris' } } },
    ],
  }
  return [look, { content: [{ text: 'It is 18 °C in Paris.' }] }].map((turn) => converseReply(turn, { pieces: 3 }))
}

/** The ids of calls are of the provider while recording, and of the run in a replay. */
const withoutIds = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/"(tooluse_\w+|call-\d+)"/g, '"id"'))

test.each([
  ['JSON', loop(asJson)],
  ['a stream', loop(asStream)],
])('an agent over %s sees in a replay what it saw', async (_, agent) => {
  const { recorded, replayed, requests } = await recordAndReplay(script(), agent)
  expect(requests).toBe(2)
  expect(JSON.stringify(recorded.value)).toContain('Let me look – 日本 😀.')
  expect(JSON.stringify(recorded.value)).toContain('"cacheReadInputTokens":5')
  expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(withoutIds(replayed.value)).toEqual(withoutIds(recorded.value))
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [], liveCalls: 0, unused: 0 })
})

test('redacted thinking comes back to the byte', async () => {
  const turn: ConverseTurn = {
    content: [{ reasoningContent: { redactedContent: 'AAECAwQF' } }, { text: 'Fine.' }],
  }
  for (const ask of [asJson, asStream]) {
    const { recorded, replayed } = await recordAndReplay([converseReply(turn)], (url) => ask(url, [question]))
    expect(replayed.value).toEqual(recorded.value)
  }
})

test.each<[string, Partial<ConverseCommandInput>]>([
  ['params.maxTokens', { inferenceConfig: { maxTokens: 501 } }],
  ['params.toolChoice', { toolConfig: { ...base.toolConfig, tools: base.toolConfig?.tools, toolChoice: { any: {} } } }],
  ['params.modelFields', { additionalModelRequestFields: { thinking: { type: 'enabled' } } }],
  ['params.guardrails', { guardrailConfig: { guardrailIdentifier: 'g', guardrailVersion: '1' } }],
  ['model', { modelId: 'eu.amazon.nova-lite-v1:0' }],
  [
    'messages[0].content',
    { messages: [{ role: 'user', content: [{ image: { format: 'png', source: { bytes: Buffer.from('x') } } }] }] },
  ],
])('another %s is a miss', async (path, change) => {
  const { replayed } = await recordAndReplay([converseReply({ content: [{ text: 'x' }] })], (url, { state }) =>
    outcomeOf(clientAt(url).send(new ConverseCommand(state === 'recording' ? base : { ...base, ...change }))),
  )
  expect(replayed.result.errors[0]?.message).toContain(path)
  expect(replayed.value).toMatchObject({ error: { message: expect.stringContaining('[retake]') } })
})

test('what changes no answer is not compared', async () => {
  const { replayed } = await recordAndReplay([converseReply({ content: [{ text: 'x' }] })], (url, { state }) =>
    clientAt(url).send(
      new ConverseCommand(
        state === 'recording'
          ? base
          : {
              ...base,
              requestMetadata: { team: 'x' },
              performanceConfig: { latency: 'optimized' },
              system: [...(base.system ?? []), { cachePoint: { type: 'default' } }],
            },
      ),
    ),
  )
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

/** What AWS's client hands to an agent of an error. */
const failureOf = async (promise: Promise<unknown>) => {
  try {
    return await promise
  } catch (error) {
    const { name, message, $fault, $metadata } = error as Error & { $fault?: string; $metadata?: object }
    const { httpStatusCode, attempts } = ($metadata ?? {}) as { httpStatusCode?: number; attempts?: number }
    return { class: (error as object).constructor.name, name, message, $fault, httpStatusCode, attempts }
  }
}

test.each([
  [400, 'ValidationException', 'The provided model identifier is invalid.'],
  [403, 'UnrecognizedClientException', 'The security token included in the request is invalid.'],
  [404, 'ResourceNotFoundException', 'Model use case details have not been submitted.'],
  [429, 'ThrottlingException', 'Too many requests, please wait before trying again.'],
  [500, 'InternalServerException', 'The system encountered an unexpected error.'],
  [503, 'ServiceUnavailableException', 'Bedrock is unable to process your request.'],
])('the error %i %s comes back in its class', async (status, type, message) => {
  for (const ask of [asJson, asStream]) {
    const { recorded, replayed, requests } = await recordAndReplay([bedrockError(status, type, message)], (url) =>
      failureOf(ask(url, [question])),
    )
    expect(requests).toBe(1)
    expect(recorded.value).toMatchObject({ name: type, message, httpStatusCode: status })
    expect(replayed.value).toEqual(recorded.value)
    expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  }
})

test('attempts that failed are replayed as such', async () => {
  const { recorded, replayed, requests } = await recordAndReplay(
    [
      bedrockError(503, 'ServiceUnavailableException', 'Busy.'),
      bedrockError(500, 'InternalServerException', 'Oops.'),
      converseReply({ content: [{ text: 'Fine.' }] }),
    ],
    async (url) => {
      const { output, $metadata } = await clientAt(url, { maxAttempts: 3 }).send(new ConverseCommand(base))
      return [output, $metadata.attempts]
    },
  )
  expect(requests).toBe(3)
  expect(recorded.value[1]).toBe(3)
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [], replayedCalls: 3 })
})

const pieces = converseStream({ content: [{ text: 'one two three four' }] }, { pieces: 4, pauseMs: 10 })
const begun = (pieces.chunks ?? []).slice(0, 3)

/** The texts that came, and how the stream ended. */
const readAll = async (url: string) => {
  const texts: string[] = []
  const end = await failureOf(
    (async () => {
      const { stream = [] } = await clientAt(url).send(new ConverseStreamCommand(base))
      for await (const { contentBlockDelta } of stream)
        if (contentBlockDelta) texts.push(contentBlockDelta.delta?.text ?? '')
      return 'the end'
    })(),
  )
  return { texts, end }
}

test.each([
  ['an exception of the model', [exceptionFrame('modelStreamErrorException', 'The model failed.')]],
  ['an exception of the service', [exceptionFrame('throttlingException', 'Too many tokens.')]],
  ['an exception nobody knows', [exceptionFrame('boredException', 'No.')]],
  ['a failure around the service', [failureFrame('InternalFailure', 'Oops.')]],
])('a stream with %s breaks at the same place', async (_, more) => {
  const { recorded, replayed } = await recordAndReplay([{ ...pieces, chunks: [...begun, ...more] }], readAll)
  expect(recorded.value).toMatchObject({ texts: ['one t', 'wo th'], end: { name: expect.any(String) } })
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('a stream that was cut breaks at the same place', async () => {
  const { recorded, replayed } = await recordAndReplay([{ ...pieces, cutAfter: 3 }], readAll)
  expect(recorded.value).toMatchObject({ texts: ['one t', 'wo th'], end: { message: expect.any(String) } })
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('an agent that stops reading sees the same events', async () => {
  const { recorded, replayed } = await recordAndReplay([pieces], async (url) => {
    const events: unknown[] = []
    const { stream = [] } = await clientAt(url).send(new ConverseStreamCommand(base))
    for await (const event of stream) {
      events.push(event)
      if (events.length === 3) break
    }
    return events
  })
  expect(recorded.value).toHaveLength(3)
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('over HTTP/2 a recording says that nothing is recorded, and a replay stops it with the way out', async () => {
  await using file = await temporaryCassette()
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  // No loopback: the guard lets that pass.
  hideHost('bedrock-runtime.invalid')
  const ask = (url: string) =>
    outcomeOf(
      clientAt(url, { requestHandler: new NodeHttp2Handler() })
        .send(new ConverseCommand(base))
        .then(({ output }) => output),
    )
  const provider = await startFakeProvider({ replies: [converseReply({ content: [{ text: 'x' }] })] })
  const recorded = await inTest(file.path, {}, async () => {
    await ask('https://bedrock-runtime.invalid')
    await ask('https://bedrock-runtime.invalid')
    return asJson(provider.url, [question])
  })
  await provider.stop()
  const notices = said.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('[retake]'))
  said.mockRestore()
  expect(notices).toEqual([expect.stringMatching(/bedrock-runtime\.invalid is not recorded.*NodeHttpHandler/s)])
  expect(recorded.result.kind).toBe('recorded')

  const replayed = await inTest(file.path, { allowUnused: true }, () => ask('https://bedrock-runtime.invalid'))
  expect(replayed.value).toHaveProperty('error')
  expect(replayed.result.errors[0]).toMatchObject({
    code: 'RETAKE_BYPASS',
    message: expect.stringContaining('requestHandler: new NodeHttpHandler()'),
  })
})
