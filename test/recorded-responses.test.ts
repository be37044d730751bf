import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Wire, type WireAnswer, wires } from '@retake/providers'
import { expect, test } from 'vitest'
import type { FakeReply, ReceivedRequest } from './support/fake-provider/reply.ts'
import { contextOf, outcome, toReply, useSdks } from './support/wire-replies.ts'

const { play, openai } = useSdks()
const wire = wires.find(({ name }) => name === 'openai.responses') as Wire

// biome-ignore lint/suspicious/noExplicitAny: members that no SDK type has
const pick = (response: any) =>
  response.output
    ? {
        output: response.output.map(({ id: _, status: __, ...item }: { id: string; status: string }) => item),
        output_text: response.output_text,
        status: response.status,
        details: response.incomplete_details ?? null,
        error: response.error ?? null,
        model: response.model,
        input: response.usage?.input_tokens ?? 0,
        reasoning: response.usage?.output_tokens_details?.reasoning_tokens ?? 0,
        total: response.usage?.total_tokens ?? 0,
      }
    : response

/** An empty list of log probabilities, and a list of contents that is null, say what their absence says. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, member) => {
    if (key === 'logprobs' && Array.isArray(member) && member.length === 0) return undefined
    return member === null ? undefined : member
  })

const corpus = join(import.meta.dirname, 'corpus/traffic/responses')
// Refused.
const skipped = ['openai-web-search.json']
const names = (await readdir(corpus)).filter((name) => name.endsWith('.json') && !skipped.includes(name))

// The stream helper of OpenAI's SDK throws at events that only Bedrock sends.
const helped = names.filter((name) => name !== 'bedrock-stream-reasoning.json')

test.each(helped)('%s and its replay are the same to the SDK', async (name) => {
  const { response } = JSON.parse(await readFile(join(corpus, name), 'utf8'))
  const isStream = typeof response.body === 'string'
  const text = isStream ? response.body : JSON.stringify(response.body)
  const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' }
  const original: FakeReply = { status: response.status, headers, body: text }

  const replay = (request: ReceivedRequest): WireAnswer => {
    const context = contextOf(request)
    const reader = wire.openStream()
    reader.push(Buffer.from(text))
    const end = isStream ? reader.finish() : { reply: wire.readReply(response.body) }
    if ('error' in end) return wire.writeError(end.error, context)
    return wire.writeReply(end.reply.turn, { ...context, extras: end.reply.extras })
  }

  const ask = () =>
    outcome(async () => {
      const body = { model: 'm', input: 'Hi' }
      const options = { maxRetries: 0 }
      const { responses } = openai()
      const reply = isStream
        ? await responses.stream(body, options).finalResponse()
        : await responses.create(body, options)
      return pick(reply)
    })
  play(original, (request) => toReply(replay(request)))
  const recorded = await ask()
  expect(plain(await ask())).toEqual(plain(recorded))
})

test.each(names.filter((name) => name.includes('stream')))('%s has the same deltas in its replay', async (name) => {
  const { response } = JSON.parse(await readFile(join(corpus, name), 'utf8'))
  const deltas = (body: string) =>
    body.split('\n').flatMap((line) => {
      if (!line.startsWith('data: {')) return []
      const { type, delta } = JSON.parse(line.slice('data: '.length))
      return delta === undefined ? [] : [[type, delta]]
    })
  const reader = wire.openStream()
  reader.push(Buffer.from(response.body))
  const end = reader.finish()
  const context = {
    request: { url: 'http://127.0.0.1/', headers: {}, body: { stream: true } },
    replyId: 'r',
    timestamp: 0,
  }
  const again =
    'reply' in end
      ? wire.writeReply(end.reply.turn, { ...context, extras: end.reply.extras })
      : wire.writeError(end.error, context)
  expect(deltas((again.body as string[]).join(''))).toEqual(deltas(response.body))
})
