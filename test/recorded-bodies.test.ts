import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Wire, type WireAnswer, wires } from '@retake/providers'
import { describe, expect, test } from 'vitest'
import type { FakeReply, ReceivedRequest } from './support/fake-provider/reply.ts'
import { contextOf, outcome, toReply, useSdks } from './support/wire-replies.ts'

const { play, openai, anthropic, genai } = useSdks()

// The stream helper of OpenAI's SDK keeps only the last delta of a member it does not know, such as thinking.
// biome-ignore lint/suspicious/noExplicitAny: members that no SDK type has
const pickChat = (completion: any) =>
  completion.choices
    ? {
        model: completion.model,
        reason: completion.choices[0].finish_reason,
        content: completion.choices[0].message.content ?? null,
        refusal: completion.choices[0].message.refusal ?? null,
        thinking: [
          completion.choices[0].message.reasoning_content || null,
          completion.choices[0].message.reasoning || null,
        ],
        // biome-ignore lint/suspicious/noExplicitAny: as above
        calls: (completion.choices[0].message.tool_calls ?? []).map(({ id, function: called }: any) => [
          id,
          called.name,
          called.arguments ?? '',
        ]),
        input: completion.usage?.prompt_tokens ?? 0,
        output: completion.usage?.completion_tokens ?? 0,
      }
    : completion

// biome-ignore lint/suspicious/noExplicitAny: as above
const pickMessage = (message: any) =>
  message.content
    ? {
        model: message.model,
        reason: message.stop_reason,
        sequence: message.stop_sequence,
        details: message.stop_details ?? null,
        // biome-ignore lint/suspicious/noExplicitAny: as above
        content: message.content.map(({ citations: _, caller: __, ...block }: any) => block),
        input: message.usage.input_tokens,
        output: message.usage.output_tokens,
      }
    : message

// biome-ignore lint/suspicious/noExplicitAny: as above
const pickResponse = ({ candidates, promptFeedback, modelVersion, usageMetadata }: any) => ({
  // biome-ignore lint/suspicious/noExplicitAny: as above
  candidates: (candidates ?? []).map(({ content, index: _, ...candidate }: any) => ({
    ...candidate,
    // biome-ignore lint/suspicious/noExplicitAny: as above
    parts: (content?.parts ?? []).map(({ functionCall, ...part }: any) => {
      const { id: _, ...call } = functionCall ?? {}
      return functionCall ? { ...part, functionCall: call } : part
    }),
  })),
  promptFeedback,
  modelVersion,
  counts: ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount'].map((name) => usageMetadata?.[name] ?? 0),
})

/** Anthropic's SDK quotes the body in its message: members in any order, and a request id that no replay has. */
const toPlain = (value: unknown, isStream: boolean): unknown => {
  const { thinking, message, ...rest } = value as { thinking?: unknown; message?: string }
  if (message === undefined) return isStream ? rest : { ...rest, thinking }
  const [, status, body] = /^(\d+) (\{.*\})$/.exec(message) ?? []
  return { ...rest, message: body ? { status, ...JSON.parse(body), request_id: null } : message }
}

/** Of a stream what an agent makes of it; an empty text may or may not end it. */
// biome-ignore lint/suspicious/noExplicitAny: as above
const pickResponses = (responses: any[]) => {
  const all = responses.map(pickResponse)
  const parts = all.flatMap(({ candidates }) => candidates.flatMap((candidate: { parts: object[] }) => candidate.parts))
  return {
    ...all.at(-1),
    candidates: undefined,
    reason: all.at(-1)?.candidates[0]?.finishReason,
    parts: parts.filter((part) => JSON.stringify(part) !== '{"text":""}'),
  }
}

const wireNames: Readonly<Record<string, string>> = {
  'chat.completions': 'openai.chat',
  messages: 'anthropic.messages',
  generateContent: 'gemini.generate-content',
  streamGenerateContent: 'gemini.generate-content',
}

describe('a recorded body and its replay are the same to the SDK', async () => {
  const corpus = join(import.meta.dirname, 'corpus/traffic')
  const names = (await readdir(corpus)).filter((name) => name.endsWith('.json'))
  // Refused ones, and a stream of chunks that the SDK of OpenAI does not know.
  const skipped = [
    'openai-logprobs.json',
    'perplexity-citations.json',
    'anthropic-server-tool.json',
    'mistral-stream-thinking.json',
    // Asked for what Google's SDK never asks for: a stream as JSON, enums as numbers.
    'gemini-array-stream.json',
    'vertex-enum-numbers.json',
  ]

  test.each(names.filter((name) => !skipped.includes(name)))('%s', async (name) => {
    const { endpoint, response } = JSON.parse(await readFile(join(corpus, name), 'utf8'))
    const wire = wires.find((one) => one.name === wireNames[endpoint]) as Wire
    const text =
      response.body === null ? '' : typeof response.body === 'string' ? response.body : JSON.stringify(response.body)
    const isStream = response.status < 400 && typeof response.body === 'string'
    const headers = { ...response.headers, 'content-type': isStream ? 'text/event-stream' : 'application/json' }
    const original: FakeReply = { status: response.status, headers, body: text }

    const replay = (request: ReceivedRequest): WireAnswer => {
      const context = contextOf(request)
      if (response.status >= 400) return wire.writeError(wire.readError(response.status, headers, text), context)
      const reader = wire.openStream()
      reader.push(Buffer.from(text))
      const end = isStream ? reader.finish() : { reply: wire.readReply(response.body) }
      if ('error' in end) return wire.writeError(end.error, context)
      return wire.writeReply(end.reply.turn, { ...context, extras: end.reply.extras })
    }

    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const ask = (): Promise<unknown> =>
      outcome(async () => {
        if (wire.name === 'openai.chat') {
          const chat = openai().chat.completions
          const options = { stream_options: { include_usage: true } }
          return pickChat(
            isStream
              ? await chat.stream({ model: 'm', messages, ...options }, { maxRetries: 0 }).finalChatCompletion()
              : await chat.create({ model: 'm', messages }, { maxRetries: 0 }),
          )
        }
        if (wire.name === 'gemini.generate-content') {
          const { models } = genai()
          if (!isStream) return pickResponse(await models.generateContent({ model: 'm', contents: 'Hi' }))
          const stream = await models.generateContentStream({ model: 'm', contents: 'Hi' })
          const responses: unknown[] = []
          for await (const response of stream) responses.push(response)
          return pickResponses(responses)
        }
        const params = { model: 'm', messages, max_tokens: 10 }
        return pickMessage(
          isStream
            ? await anthropic().messages.stream(params, { maxRetries: 0 }).finalMessage()
            : await anthropic().messages.create(params, { maxRetries: 0 }),
        )
      })

    play(original, (request) => toReply(replay(request)))
    const recorded = await ask()
    const replayed = await ask()
    expect(toPlain(replayed, isStream)).toEqual(toPlain(recorded, isStream))
  })
})
