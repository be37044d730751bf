import { describe, expect, test } from 'vitest'
import { recordAndReplay } from '../../session/record-and-replay.ts'
import type { FakeReply, ReceivedRequest, Scripted } from '../../support/fake-provider/reply.ts'
import { splitText } from '../../support/fake-provider/reply.ts'
import { asks } from '../asks.ts'
import { outcome } from '../outcome.ts'
import { pieces, says } from '../replies.ts'
import { toComparable } from '../to-comparable.ts'
import { consumers } from './consumers.ts'
import { errorEvent, failedResponse } from './error-replies.ts'

const text = 'one two three four five six seven'
const texts = splitText(text, pieces)

const textOf = (chunk: string | Uint8Array) => (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())

/** The reply up to its third delta. */
const begun = async (request: ReceivedRequest): Promise<FakeReply> => {
  const answer = says({ text, stop: 'end' })
  const reply = typeof answer === 'function' ? await answer(request) : answer
  const third = (reply.chunks ?? []).findIndex((chunk) => textOf(chunk).includes(JSON.stringify(texts[2])))
  return { ...reply, chunks: (reply.chunks ?? []).slice(0, third + 1), pauseMs: 5 }
}

const endings: Record<string, Scripted> = {
  'an error event': async (request) => {
    const reply = await begun(request)
    return { ...reply, chunks: [...(reply.chunks ?? []), errorEvent(request, reply.chunks?.length ?? 0)] }
  },
  'its end, without a word': begun,
  'a reset': async (request) => {
    const reply = await begun(request)
    return { ...reply, cutAfter: reply.chunks?.length ?? 0 }
  },
}

const failed: Scripted = async (request) => {
  const reply = await begun(request)
  return { ...reply, chunks: [...(reply.chunks ?? []), failedResponse(reply)] }
}

/** Of a reply that broke off a cassette holds no counts and no served model. */
const told = (value: unknown): unknown => {
  const uncounted = (name: string, member: unknown) =>
    /^(model(s|Id|_name)?|usage(Metadata)?|raw|\w+Tokens)$/.test(name) ? undefined : member
  return JSON.parse(JSON.stringify(toComparable(value), uncounted))
}

const expectSame = async (script: Scripted, agent: (url: string) => Promise<unknown>) => {
  const { recorded, replayed } = await recordAndReplay([script], agent)
  expect(recorded.result).toMatchObject({ kind: 'recorded', liveCalls: 1, errors: [] })
  expect(replayed.result).toMatchObject({ kind: 'replayed', liveCalls: 0, replayedCalls: 1, errors: [] })
  expect(told(replayed.value)).toEqual(told(recorded.value))
  return { value: recorded.value, steps: recorded.cassette.trace.steps }
}

describe.each(Object.entries(asks).filter(([name]) => /stream/i.test(name)))('%s', (name, ask) => {
  const own = /responses/i.test(name) ? { ...endings, 'a response that failed': failed } : endings
  test.each(Object.entries(own))('takes %s after three deltas as it did live', async (_, script) => {
    const { steps } = await expectSame(script, (url) => outcome(ask(url)))
    expect(steps[1]?.payload).toMatchObject({ event: 'model_error', status: 200 })
  })
})

describe.each(Object.entries(consumers))('%s', (_, consume) => {
  test.each(Object.entries(endings))('has said three deltas before %s', async (_name, script) => {
    const { value } = await expectSame(script, async (url) => {
      const seen: string[] = []
      const end = await outcome(consume(url, (delta) => seen.push(delta), new AbortController().signal))
      return { seen, end }
    })
    expect(value).toMatchObject({ seen: texts.slice(0, 3) })
  })

  test('is aborted after two deltas, again', async () => {
    const whole: Scripted = async (request) => {
      const answer = says({ text, stop: 'end' })
      return { ...(typeof answer === 'function' ? await answer(request) : answer), pauseMs: 15 }
    }
    const { value, steps } = await expectSame(whole, async (url) => {
      const aborter = new AbortController()
      const seen: string[] = []
      const onText = (delta: string) => {
        if (seen.push(delta) === 2) aborter.abort()
      }
      return { end: await outcome(consume(url, onText, aborter.signal)), seen }
    })
    expect(value).toMatchObject({ seen: texts.slice(0, 2) })
    expect(steps[1]?.payload).toMatchObject({ event: 'model_error', kind: 'aborted' })
  })

  test('times out before the first byte, again', async () => {
    const { steps } = await expectSame({ silentAfter: 0 }, (url) =>
      outcome(consume(url, () => {}, AbortSignal.timeout(300))),
    )
    expect(steps[1]?.payload).toMatchObject({ event: 'model_error', status: 0 })
  })
})
