import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { type Turn, wires } from '@retake/providers'
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { FakeReply, ReceivedRequest, Scripted } from './support/fake-provider/reply.ts'
import { contextOf, fails, outcome, says, toReply, useSdks, wireOf } from './support/wire-replies.ts'

/** What the real SDKs make of what the wires write. */

const { script, play, lastRequest, openai, anthropic } = useSdks()

const order = z.object({ id: z.string() })
const lookUpBoth: Turn = {
  stop: 'tools',
  parts: [
    { type: 'text', text: 'Let me look.' },
    { type: 'tool_use', toolCallId: 'call-0', toolName: 'lookup', toolInput: { id: 'A-77' } },
    { type: 'tool_use', toolCallId: 'call-1', toolName: 'lookup', toolInput: { id: 'B-1' } },
  ],
}
const late: Turn = { stop: 'end', parts: [{ type: 'text', text: 'Both are late.' }] }
const messages = [{ role: 'user' as const, content: 'Where are A-77 and B-1?' }]

describe('agent loops of the SDKs', () => {
  test.each([false, true])('openai runTools runs parallel calls and ends (stream: %s)', async (stream) => {
    const asked: string[] = []
    const lookup = zodFunction({
      name: 'lookup',
      parameters: order,
      function: ({ id }) => {
        asked.push(id)
        return `${id} is late`
      },
    })
    const tools = [lookup]
    play(says(lookUpBoth), says(late))
    const runner = stream
      ? openai().chat.completions.runTools({ model: 'm', messages, tools, stream: true })
      : openai().chat.completions.runTools({ model: 'm', messages, tools })
    expect(await runner.finalContent()).toBe('Both are late.')
    expect(asked.sort()).toEqual(['A-77', 'B-1'])
    const history = lastRequest()?.body.messages
    expect(history.filter(({ role }: { role: string }) => role === 'tool')).toMatchObject([
      { tool_call_id: 'call-0', content: 'A-77 is late' },
      { tool_call_id: 'call-1', content: 'B-1 is late' },
    ])
  })

  test.each([false, true])(
    'anthropic toolRunner runs parallel calls and ends, with its threads asked for all (stream: %s)',
    async (stream) => {
      const lookup = betaZodTool({
        name: 'lookup',
        description: 'x',
        inputSchema: order,
        run: ({ id }) => `${id} is late`,
      })
      const histories: number[] = []
      const answer =
        (turn: Turn): Scripted =>
        (request) => {
          const asksAll = wireOf(request).requestHistory?.(contextOf(request).request)
          if (asksAll) {
            script.unshift(answer(turn))
            return toReply(asksAll)
          }
          histories.push(request.body.messages.length)
          return (says(turn) as (received: ReceivedRequest) => FakeReply)(request)
        }
      play(answer(lookUpBoth), answer(late))
      const runner = anthropic().beta.messages.toolRunner({
        model: 'm',
        max_tokens: 10,
        messages,
        tools: [lookup],
        stream,
      })
      const { content } = await runner.runUntilDone()
      expect(content).toMatchObject([{ type: 'text', text: 'Both are late.' }])
      expect(histories).toEqual([1, 3])
      expect(script).toEqual([])
    },
  )

  test('structured output is parsed', async () => {
    const turn: Turn = { stop: 'end', parts: [{ type: 'text', text: '{"id":"A-77"}' }] }
    play(says(turn), says(turn))
    const completion = await openai().chat.completions.parse({
      model: 'm',
      messages,
      response_format: zodResponseFormat(order, 'order'),
    })
    expect(completion.choices[0]?.message.parsed).toEqual({ id: 'A-77' })
    const message = await anthropic().messages.parse({
      model: 'm',
      max_tokens: 9,
      messages,
      output_config: { format: zodOutputFormat(order) },
    })
    expect(message.parsed_output).toEqual({ id: 'A-77' })
  })
})

describe('streams', () => {
  test('are iterated event by event, arguments in one piece', async () => {
    play(says(lookUpBoth), says(lookUpBoth))
    const chunks = await openai().chat.completions.create({ model: 'm', messages, stream: true })
    const calls: unknown[] = []
    let text = ''
    for await (const chunk of chunks) {
      text += chunk.choices[0]?.delta.content ?? ''
      calls.push(...(chunk.choices[0]?.delta.tool_calls ?? []).map((call) => call.function))
    }
    expect([text, calls]).toEqual([
      'Let me look.',
      [
        { name: 'lookup', arguments: '{"id":"A-77"}' },
        { name: 'lookup', arguments: '{"id":"B-1"}' },
      ],
    ])
    const types: string[] = []
    for await (const event of await anthropic().messages.create({ model: 'm', max_tokens: 9, messages, stream: true }))
      types.push(event.type)
    const block = ['content_block_start', 'content_block_delta', 'content_block_stop']
    expect(types).toEqual(['message_start', ...block, ...block, ...block, 'message_delta', 'message_stop'])
  })

  test('are as many deltas as were recorded', async () => {
    const turn: Turn = { stop: 'end', parts: [{ type: 'text', text: 'Late, 20 €.' }] }
    play(says(turn, { chunks: [4, 2, 5] }), says(turn, { chunks: [4, 2, 5] }))
    const pieces: string[] = []
    const chat = openai().chat.completions.stream({ model: 'm', messages })
    chat.on('content', (delta) => pieces.push(delta))
    await chat.done()
    const stream = anthropic().messages.stream({ model: 'm', max_tokens: 9, messages })
    stream.on('text', (delta) => pieces.push(delta))
    await stream.done()
    expect(pieces).toEqual(['Late', ', ', '20 €.', 'Late', ', ', '20 €.'])
  })

  const partial = { parts: [{ type: 'text' as const, text: 'The ord' }], afterParts: 0 }

  test('that failed in the middle fail again with the words of the provider', async () => {
    const error = { status: 200, kind: 'overloaded', message: 'Overloaded', type: 'overloaded_error', ...partial }
    play(fails(error), fails(error))
    const seen: string[] = []
    const chat = openai().chat.completions.stream({ model: 'm', messages })
    chat.on('content', (delta) => seen.push(delta))
    await expect(chat.done()).rejects.toThrow('Overloaded')
    const stream = anthropic().messages.stream({ model: 'm', max_tokens: 9, messages })
    stream.on('text', (delta) => seen.push(delta))
    await expect(stream.done()).rejects.toThrow('overloaded_error')
    expect(seen).toEqual(['The ord', 'The ord'])
  })

  test.each(['cut', 'network'])('that broke off break off again (%s)', async (kind) => {
    const error = { status: 200, kind, message: 'gone', ...partial }
    play(fails(error), fails(error))
    await expect(openai().chat.completions.stream({ model: 'm', messages }).done()).rejects.toThrow()
    await expect(anthropic().messages.stream({ model: 'm', max_tokens: 9, messages }).finalMessage()).rejects.toThrow()
  })
})

describe('errors', () => {
  const clients = (): { name: string; ask: () => PromiseLike<unknown> }[] => [
    { name: 'openai', ask: () => openai().chat.completions.create({ model: 'm', messages }) },
    {
      name: 'anthropic',
      ask: () => anthropic().messages.create({ model: 'm', max_tokens: 9, messages }),
    },
  ]

  test('a recorded wait of seven seconds and then a reply take one attempt more and no time', async () => {
    for (const { ask } of clients()) {
      const limited = {
        status: 429,
        kind: 'rate_limit',
        message: 'Slow down',
        type: 'rate_limit_error',
        retryAfterMs: 7000,
      }
      play(fails(limited), says(late))
      const started = performance.now()
      await ask()
      expect(performance.now() - started).toBeLessThan(400)
      expect(script).toEqual([])
    }
  })

  test('three times overloaded is given up as it was', async () => {
    for (const { ask } of clients()) {
      const busy = { status: 529, kind: 'overloaded', message: 'Overloaded', type: 'overloaded_error' }
      play(fails(busy), fails(busy), fails(busy), says(late))
      expect(await outcome(ask)).toMatchObject({ status: 529, message: expect.stringContaining('Overloaded') })
      expect(script).toHaveLength(1)
    }
  })

  test('one that was not to be tried again is not', async () => {
    for (const { ask } of clients()) {
      play(fails({ status: 429, kind: 'rate_limit', message: 'Out of budget', noRetry: true }), says(late))
      expect(await outcome(ask)).toMatchObject({ status: 429, message: expect.stringContaining('Out of budget') })
      expect(script).toHaveLength(1)
    }
  })

  test('keep type, code and param', async () => {
    play(
      fails({
        status: 404,
        kind: 'not_found',
        message: 'No such model',
        type: 'invalid_request_error',
        code: 'model_not_found',
        param: 'model',
      }),
    )
    const error = await openai()
      .chat.completions.create({ model: 'm', messages })
      .catch((thrown) => thrown)
    expect(error).toMatchObject({
      status: 404,
      message: '404 No such model',
      type: 'invalid_request_error',
      code: 'model_not_found',
      param: 'model',
    })
  })

  test('without a body, and with a page of HTML, are what they were', async () => {
    for (const wire of wires) {
      for (const body of ['', '<html><body>Bad gateway</body></html>']) {
        const again = wire.writeError(wire.readError(403, {}, body), {
          request: { url: 'http://127.0.0.1/', headers: {}, body: {} },
          replyId: 'r',
          timestamp: 0,
        })
        const ask = () =>
          (clients().find(({ name }) => wire.name.startsWith(name)) as { ask: () => PromiseLike<unknown> }).ask()
        play(
          { status: 403, body, headers: { 'content-type': body ? 'text/html' : 'application/json' } },
          toReply(again),
        )
        const recorded = await outcome(ask)
        expect(await outcome(ask)).toEqual(recorded)
      }
    }
  })
})
