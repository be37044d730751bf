import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { chatCall, chatJson } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'
import { chatLoop } from './chat-loop.ts'
import { inTest, temporaryCassette } from './in-test.ts'

interface Stored {
  id: string
  createdAt: number
  steps: { type: string; payload: unknown; timestamp: number; hash: string }[]
  at: number[]
  extras: { step: number }[]
}

const turn = (content: string, n: number, waitMs = 0): Scripted => ({
  ...chatJson({ content, tool_calls: [chatCall(`call_${n}`, 'lookup', { n })] }),
  waitMs,
})
const done = chatJson({ content: 'All found.' })

/** Records one cassette twice: with these replies, then with others. */
const recordTwice = async (first: Scripted[], second: Scripted[], format: 'v2' | 'v3' = 'v3') => {
  await using file = await temporaryCassette()
  const record = async (replies: Scripted[]) => {
    await using provider = await startFakeProvider({ replies })
    const { result } = await inTest(file.path, { mode: 'update', format }, (cassette) =>
      chatLoop(provider.url, cassette.tools({ lookup: async ({ n }: { n: number }) => `order ${n}` })),
    )
    return { kind: result.kind, text: await readFile(file.path, 'utf8'), changedAt: (await stat(file.path)).mtimeMs }
  }
  const before = await record(first)
  const after = await record(second)
  const replayed = await inTest(file.path, { mode: 'replay' }, (cassette) =>
    chatLoop('http://127.0.0.1:9', cassette.tools({ lookup: async () => 'never run' })),
  )
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  return { before, after, answer: replayed.value }
}
const parse = (text: string): Stored => JSON.parse(text)
const lines = (text: string) => text.split('\n')

test('a recording that says the same leaves the file alone, whatever it took', async () => {
  const { before, after } = await recordTwice([turn('Looking.', 1), done], [turn('Looking.', 1, 30), done])
  expect(after).toEqual({ ...before, kind: 'unchanged' })
})

test('one changed reply changes only the steps from there on', async () => {
  const script = (second: string, waitMs = 0) => [turn('First.', 1), turn(second, 2, waitMs), turn('Third.', 3), done]
  const { before, after } = await recordTwice(script('Second.'), script('Another second.', 60))
  expect(after.kind).toBe('updated')
  const [old, young] = [parse(before.text), parse(after.text)]

  // Requests, replies, calls and results of three turns, and the last answer with the end of the run.
  expect(old.steps).toHaveLength(15)
  const changed = old.steps.flatMap((step, index) =>
    JSON.stringify(step) === JSON.stringify(young.steps[index]) ? [] : [index],
  )
  // The reply, and the next request, which repeats it; the requests behind that only hold what is new in them.
  expect(changed).toEqual([5, 8])
  expect(young).toMatchObject({ id: old.id, createdAt: old.createdAt })
  expect(young.at.filter((_, index) => !changed.includes(index))).toEqual(
    old.at.filter((_, index) => !changed.includes(index)),
  )
  expect(young.extras.filter(({ step }) => step !== 5)).toEqual(old.extras.filter(({ step }) => step !== 5))
  const first = lines(before.text).findIndex((line, index) => line !== lines(after.text)[index])
  expect(lines(after.text)[first]).toContain('Another second.')
})

test('a request that changed between steps that did not keeps its time, so that three lines tell it', async () => {
  await using file = await temporaryCassette()
  const record = async (question: string, waitMs: number) => {
    const replies = [done, done, done].map((reply) => ({ ...reply, waitMs }))
    await using provider = await startFakeProvider({ replies })
    await inTest(file.path, { mode: 'update' }, async () => {
      for (const content of ['One?', question, 'Three?']) {
        const body = JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content }] })
        const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-of-the-test-1234' }
        await (await fetch(`${provider.url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    })
    return lines(await readFile(file.path, 'utf8'))
  }
  const before = await record('Two?', 0)
  const after = await record('Two, or what?', 25)
  const changed = after.filter((line, index) => line !== before[index])
  expect(changed.map((line) => line.trim().split(' ')[0])).toEqual(['"payload":', '"sum":', '"seal":'])
})

test('a version 2 cassette stays one, with the steps before the change as they were', async () => {
  const script = (second: string) => [turn('First.', 1), turn(second, 2), done]
  const { before, after } = await recordTwice(script('Second.'), script('Another second.'), 'v2')
  const [old, young] = [parse(before.text), parse(after.text)]
  expect(young.steps.slice(0, 5)).toEqual(old.steps.slice(0, 5))
  expect(young.steps[5]?.payload).not.toEqual(old.steps[5]?.payload)
  const times = ({ steps }: Stored) => steps.map(({ timestamp }) => timestamp)
  // Calls and results and the last answer are the same, and so is when they came.
  for (const step of [6, 7, 9, 10]) expect(times(young)[step]).toBe(times(old)[step])
})

test('fewer steps and more steps are an update too', async () => {
  const short = [turn('First.', 1), done]
  const long = [turn('First.', 1), turn('Second.', 2), done]
  const fewer = await recordTwice(long, short)
  expect(parse(fewer.after.text).steps).toHaveLength(7)
  const more = await recordTwice(short, long)
  expect(parse(more.after.text).steps.slice(0, 5)).toEqual(parse(more.before.text).steps.slice(0, 5))
  expect(more.answer).toBe('All found.')
})

test('a run that asks something else from the start is new altogether', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: () => chatJson({ content: 'Yes.' }) })
  const record = async (question: string) => {
    await inTest(file.path, { mode: 'update' }, () => chatLoop(provider.url, {}, { question }))
    return parse(await readFile(file.path, 'utf8'))
  }
  const old = await record('One?')
  await new Promise((next) => setTimeout(next, 5))
  const young = await record('Two?')
  expect(young.id).toBe(old.id)
  expect(young.createdAt).toBeGreaterThan(old.createdAt)
})
