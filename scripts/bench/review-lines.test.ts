import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  formatCassette,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type Trace,
  TraceRecorder,
  type TraceStep,
} from '@retake/trace'
import { expect, test } from 'vitest'
import { makeRun } from './agent-run.ts'

// What a reviewer reads in `git diff` of a v3 cassette after one change of the agent, as FORMAT.md promises it.

type Kind = Parameters<typeof makeRun>[0]
const kinds: [string, Kind][] = [
  ['a run of 30 turns', { turns: 30 }],
  ['a coding run of 30 turns', { turns: 30, coding: true }],
  ['a run of 100 turns', { turns: 100 }],
]

/** Added and removed lines between the files of two runs. */
async function changedLines(before: Trace, after: Trace): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'retake-lines-'))
  try {
    const [old, fresh] = [join(folder, 'old.json'), join(folder, 'fresh.json')]
    await writeFile(old, format(before))
    await writeFile(fresh, format(after))
    return added(old, fresh).reduce((sum, count) => sum + count, 0)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** `git diff` exits with 1 for files that differ. */
function added(old: string, fresh: string): number[] {
  try {
    execFileSync('git', ['diff', '--no-index', '--numstat', old, fresh], { encoding: 'utf8' })
    return [0]
  } catch (error) {
    return (error as { stdout: string }).stdout.split('\t').slice(0, 2).map(Number)
  }
}

/** With what a real recording has beside its steps. */
function format(trace: Trace): string {
  const extras = trace.steps.flatMap(({ type, index }) =>
    type === 'model_output' ? [{ step: index, tokens: { input: 900 + index, output: 40 }, durationMs: 800 }] : [],
  )
  return formatCassette({ trace, format: 'v3', extras })
}

function recordAgain(
  { id, createdAt, steps }: Trace,
  change: (value: JsonValue) => JsonValue,
  more: Step[] = [],
): Trace {
  const recorder = new TraceRecorder({ id, createdAt })
  const last = steps.at(-1) as TraceStep
  for (const { type, payload, timestamp } of steps) recorder.append(type, change(payload as JsonValue), timestamp)
  for (const [n, [type, payload]] of more.entries()) recorder.append(type, payload, last.timestamp + n + 1)
  return recorder.toTrace()
}

type Step = [TraceStep['type'], unknown]

/** The same value with one text in place of another, wherever it stands. */
const replacing = (text: string, other: string) =>
  function replace(value: JsonValue): JsonValue {
    if (value === text) return other
    if (Array.isArray(value)) return value.map(replace)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replace(member)]))
  }

const unchanged = (value: JsonValue): JsonValue => value

const firstInput = ({ steps }: Trace) => steps[0]?.payload as unknown as { messages: Message[]; systemPrompt: string }

test.each(kinds)('%s: one early user message that changed is at most 6 lines', async (_, kind) => {
  const run = makeRun(kind)
  const question = firstInput(run).messages[0]?.content as string
  const lines = await changedLines(run, recordAgain(run, replacing(question, `${question} Please.`)))
  expect(lines).toBeGreaterThan(0)
  expect(lines).toBeLessThanOrEqual(6)
})

test.each(kinds)('%s: one prompt line that changed is at most 6 lines', async (_, kind) => {
  const run = makeRun(kind)
  const words = firstInput(run).systemPrompt.split('. ')
  const prompt = (line: string) => words.with(3, line).join('.\n')
  const before = recordAgain(run, replacing(firstInput(run).systemPrompt, prompt(words[3] as string)))
  const lines = await changedLines(
    before,
    recordAgain(before, replacing(prompt(words[3] as string), prompt('Be brief'))),
  )
  expect(lines).toBeGreaterThan(0)
  expect(lines).toBeLessThanOrEqual(6)
})

test.each(kinds)('%s: one early tool result that changed is at most 6 lines', async (_, kind) => {
  const run = makeRun(kind)
  const texts = run.steps.flatMap(({ type, payload }) => {
    const { result } = payload as JsonObject
    return type === 'tool_result' && typeof result === 'string' && result.includes('\n') ? [result] : []
  })
  const result = texts[0] as string
  const other = result.replace(/[^\n]*\n/, 'export const changed = true\n')
  const lines = await changedLines(run, recordAgain(run, replacing(result, other)))
  expect(lines).toBeGreaterThan(0)
  expect(lines).toBeLessThanOrEqual(6)
})

test.each(kinds)('%s: one more turn with a call and its result is at most 40 lines', async (_, kind) => {
  const run = makeRun(kind)
  const last = run.steps.findLast(({ type }) => type === 'model_input') as TraceStep
  const { messages, ...rest } = last.payload as unknown as JsonObject & { messages: Message[] }
  const call = { toolCallId: 'call-900', toolName: 'refund_900', toolInput: { orderId: 'A-77', amountCents: 2000 } }
  const result = { toolCallId: 'call-900', toolName: 'refund_900', result: { status: 'refunded', orderId: 'A-77' } }
  const asked = [
    ...messages,
    { role: 'assistant', content: 'It is late.' },
    { role: 'user', content: 'Then refund it.' },
  ]
  const more: Step[] = [
    ['model_input', { messages: asked, ...rest }],
    ['model_output', { type: 'tool_calls', calls: [call] }],
    ['tool_call', call],
    ['tool_result', result],
  ]
  const lines = await changedLines(run, recordAgain(run, unchanged, more))
  expect(lines).toBeGreaterThan(0)
  expect(lines).toBeLessThanOrEqual(40)
})
