import { type Cassette, type CassetteOptions, createScope, openCassette, runInScope, toolResult } from '@retake/session'
import { type CassetteFile, loadCassette, saveCassette, TraceRecorder } from '@retake/trace'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { chatCall, chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { chatLoop, toolScript } from './chat-loop.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { openaiAt } from './sdk-clients.ts'

const day = 86_400_000
const present = Date
const nowhere = 'http://127.0.0.1:9'

afterEach(() => {
  expect(Date).toBe(present)
})

type Prompt = () => string

const prompts: Record<string, Prompt> = {
  toISOString: () => `Today is ${new Date().toISOString()}.`,
  toDateString: () => `Today is ${new Date().toDateString()}.`,
  'Date()': () => `It is ${Date()}.`,
  'Date.now()': () => `now=${Date.now()}`,
  'seconds since the epoch': () => `now=${Math.floor(Date.now() / 1000)}`,
  toLocaleDateString: () => `Today is ${new Date().toLocaleDateString('en-US')}.`,
  'toLocaleDateString in words': () =>
    `Today is ${new Date().toLocaleDateString('en-US', { dateStyle: 'full' })}, be brief.`,
  'toLocaleString in German': () =>
    `Heute ist ${new Date().toLocaleString('de-DE', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })}.`,
  toLocaleTimeString: () => `It is ${new Date().toLocaleTimeString('en-US')} on ${new Date().toDateString()}.`,
  'the year and month': () =>
    `It is ${new Date().toLocaleDateString('en-US', { month: 'long', year: 'numeric' })} now.`,
}

const ask = (prompt: Prompt) => (url: string) =>
  openaiAt(url).chat.completions.create({ model: 'gpt-5', messages: [{ role: 'user', content: prompt() }] })

/** The same recording, as it would be had it been made this much earlier: with its dates. */
function age(path: string, by: number, prompt: Prompt): void {
  const file: CassetteFile = loadCassette(path)
  const { id, createdAt, steps } = file.trace
  const recorder = new TraceRecorder({ id, createdAt: createdAt - by })
  const then = at(createdAt - by, prompt)
  for (const { type, payload, timestamp } of steps) {
    const aged = type === 'model_input' ? { ...Object(payload), messages: [{ role: 'user', content: then }] } : payload
    recorder.append(type, aged, timestamp - by)
  }
  saveCassette({ ...file, trace: recorder.toTrace() }, path)
}

/** What the prompt says at a time. */
function at(time: number, prompt: Prompt): string {
  vi.useFakeTimers({ toFake: ['Date'], now: time })
  try {
    return prompt()
  } finally {
    vi.useRealTimers()
  }
}

async function recordedLongAgo(prompt: Prompt, options: CassetteOptions) {
  const file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: [chatReply({ content: 'Noted.' })] })
  await inTest(file.path, { clock: 'recorded' }, () => ask(prompt)(provider.url))
  await provider.stop()
  age(file.path, 400 * day, prompt)
  try {
    return await inTest(file.path, options, () => ask(prompt)(nowhere).catch((error: Error) => error))
  } finally {
    await file[Symbol.asyncDispose]()
  }
}

describe('an agent that tells its model the date, 400 days after it was recorded', () => {
  test.each(Object.entries(prompts))('%s: passes with the recorded clock', async (_, prompt) => {
    const { result } = await recordedLongAgo(prompt, { clock: 'recorded' })
    expect(result).toMatchObject({ kind: 'replayed', errors: [] })
  })

  test.each(Object.entries(prompts))('%s: fails without, and the message suggests it', async (_, prompt) => {
    const { result } = await recordedLongAgo(prompt, {})
    expect(result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_CASSETTE_MISMATCH' }] })
    expect(result.errors[0]?.message).toContain("`clock: 'recorded'` gives the test the time of its recording")
    expect(result.errors[0]?.details.brief).toMatchObject({ more: expect.stringContaining("`clock: 'recorded'`") })
  })

  test('another difference beside the date suggests nothing', async () => {
    let question = 'Where is my order?'
    const prompt = () => `${new Date().toISOString()}: ${question}`
    const file = await temporaryCassette()
    await using provider = await startFakeProvider({ replies: [chatReply({ content: 'Noted.' })] })
    await inTest(file.path, {}, () => ask(prompt)(provider.url))
    question = 'Where are my orders?'
    const { result } = await inTest(file.path, {}, () => ask(prompt)(nowhere).catch(() => 0))
    expect(result.errors[0]?.message).toContain('differs')
    expect(result.errors[0]?.message).not.toContain('clock')
    await file[Symbol.asyncDispose]()
  })
})

test('an update keeps the time of the file, and uses it', async () => {
  await using file = await temporaryCassette()
  const prompt = prompts.toISOString as Prompt
  await using provider = await startFakeProvider({
    replies: [chatReply({ content: 'Noted.' }), chatReply({ content: 'Noted.' }), chatReply({ content: 'Other.' })],
  })
  await inTest(file.path, { clock: 'recorded' }, () => ask(prompt)(provider.url))
  age(file.path, 400 * day, prompt)
  const { createdAt } = loadCassette(file.path).trace
  const same = await inTest(file.path, { clock: 'recorded', mode: 'update' }, () => ask(prompt)(provider.url))
  expect(same.result.kind).toBe('unchanged')
  const other: Prompt = () => `Hello. ${prompt()}`
  const updated = await inTest(file.path, { clock: 'recorded', mode: 'update' }, () => ask(other)(provider.url))
  expect(updated.result.kind).toBe('updated')
  expect(loadCassette(file.path).trace.createdAt).toBe(createdAt)
  expect(JSON.stringify(loadCassette(file.path).trace.steps[0])).toContain(new Date(createdAt).toISOString())
  const replayed = await inTest(file.path, { clock: 'recorded' }, () => ask(other)(nowhere))
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

describe('Date stands still', () => {
  const noon = new Date('2024-02-29T12:00:00Z')

  /** What a test with this clock sees. */
  async function seenIn<T>(clock: NonNullable<CassetteOptions['clock']>, look: (cassette: Cassette) => T | Promise<T>) {
    await using file = await temporaryCassette()
    const { value } = await inTest(file.path, { clock, script: [] }, async (cassette) => look(cassette))
    return value
  }

  test('in every form that takes the present', async () => {
    const seen = await seenIn(noon, async () => ({
      made: new Date(),
      now: Date.now(),
      called: Date(),
      given: new Date(0),
      parts: new Date(2020, 1, 1).getFullYear(),
      parsed: Date.parse('2020-01-01'),
      utc: Date.UTC(2020, 0, 1),
      isDate: new Date() instanceof Date && new Date(0) instanceof Date && noon instanceof Date,
      later: await new Promise<number>((done) => setTimeout(() => done(Date.now()), 5)),
    }))
    expect(seen).toMatchObject({ made: noon, now: noon.getTime(), called: noon.toString(), given: new Date(0) })
    expect(seen).toMatchObject({ parts: 2020, parsed: 1_577_836_800_000, utc: 1_577_836_800_000, isDate: true })
    expect(seen.later).toBe(noon.getTime())
  })

  test('also for classes that extend it', async () => {
    const seen = await seenIn(noon, () => {
      class Day extends Date {
        name = 'day'
      }
      const today = new Day()
      return { today, isDay: today instanceof Day, name: today.name }
    })
    expect([seen.today.getTime(), seen.isDay, seen.name]).toEqual([noon.getTime(), true, 'day'])
  })

  test('in the context of its test only, and not after it', async () => {
    await using one = await temporaryCassette('one')
    await using other = await temporaryCassette('other')
    const later = new Date('2030-01-01T00:00:00Z')
    const outside = setInterval(() => seenOutside.push(Date.now()), 1)
    const seenOutside: number[] = []
    const look = async () => {
      const before = Date.now()
      await new Promise((done) => setTimeout(done, 20))
      return [before, Date.now()]
    }
    const runs = await Promise.all([
      inTest(one.path, { clock: noon, script: [] }, look),
      inTest(other.path, { clock: later, script: [] }, look),
    ])
    clearInterval(outside)
    expect(runs.map(({ value }) => value)).toEqual([
      [noon.getTime(), noon.getTime()],
      [later.getTime(), later.getTime()],
    ])
    expect(seenOutside.length).toBeGreaterThan(2)
    expect(seenOutside.every((time) => Math.abs(time - present.now()) < 60_000)).toBe(true)
  })

  test('for the whole process where a session has no test', async () => {
    await using file = await temporaryCassette()
    const test = { file: '', name: 'agent.mjs' }
    const session = openCassette({ name: 'x', path: file.path, mode: 'auto', ci: false, test, clock: noon, script: [] })
    expect(new Date()).toEqual(noon)
    await session.finish('passed')
    expect(Date).toBe(present)
  })

  test('below fake timers of the test: they win, and leave nothing behind', async () => {
    const fixed = new Date('2000-01-01T00:00:00Z')
    const seen = await seenIn(noon, () => {
      vi.useFakeTimers({ now: fixed })
      const faked = [Date.now()]
      vi.advanceTimersByTime(1000)
      faked.push(Date.now())
      vi.useRealTimers()
      return { faked, again: Date.now() }
    })
    expect(seen).toEqual({ faked: [fixed.getTime(), fixed.getTime() + 1000], again: noon.getTime() })
  })

  test('fake timers begin at the time that stands still', async () => {
    const seen = await seenIn(noon, () => {
      vi.useFakeTimers()
      const now = Date.now()
      vi.useRealTimers()
      return now
    })
    expect(seen).toBe(noon.getTime())
  })

  test('a Date of the user stays, also where it goes on longer than the test', async () => {
    const fixed = new Date('2000-01-01T00:00:00Z')
    vi.useFakeTimers({ toFake: ['Date'], now: fixed })
    expect(await seenIn(noon, () => Date.now())).toBe(fixed.getTime())
    vi.useRealTimers()
    expect(Date).toBe(present)
    vi.setSystemTime(fixed)
    expect(await seenIn(noon, () => Date.now())).toBe(fixed.getTime())
    vi.useRealTimers()
  })
})

test('a fork has the time of its parent', async () => {
  await using file = await temporaryCassette()
  const agent = (url: string) => (cassette: Cassette) =>
    chatLoop(url, cassette.tools({ lookup: async (_: object) => 'found' }), { question: new Date().toISOString() })
  const provider = await startFakeProvider({ replies: toolScript([chatCall('call_1', 'lookup', { n: 1 })]) })
  await inTest(file.path, { clock: 'recorded' }, agent(provider.url))
  await provider.stop()
  const fork = { at: toolResult('lookup'), set: 'lost', then: ['Lost.'] }
  const forked = await inTest(file.path, { clock: 'recorded', fork }, agent(nowhere))
  expect(forked.result).toMatchObject({ kind: 'recorded', errors: [] })
  const again = await inTest(file.path, { clock: 'recorded', fork }, agent(nowhere))
  expect(again.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('a script has no recorded time', async () => {
  await using file = await temporaryCassette()
  const run = inTest(file.path, { clock: 'recorded', script: ['x'] }, async () => 0)
  await expect(run).rejects.toThrow(/a scripted run has no recorded time: give `clock` a Date/)
  expect(await runInScope(createScope('another'), () => Math.abs(Date.now() - present.now()) < 1000)).toBe(true)
})
