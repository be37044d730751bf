import type { JsonObject, Message, MessagePart, ToolCall, ToolDefinition, Trace } from '@retake/trace'
import { TraceRecorder } from '@retake/trace'
import { createRandomTexts, type RandomTexts } from './random-texts.ts'

export interface RunShape {
  turns: number
  /** Edits of source files instead of look-ups. [false] */
  coding?: boolean
  /** Messages that a request holds at most, beside the first. [all] */
  window?: number
  /** The first message tells the state of the run, so that it differs in every request. [false] */
  state?: boolean
  seed?: number
}

const startedAt = 1_756_448_402_000

/**
 * A run of a coding or shop agent: a prompt of 4 kB, 20 tools in 15 kB, one to three calls a turn, results of 0.2 to 8 kB
 * as code, listings, records or prose, some errors. The same shape gives the same run.
 */
export function makeRun({ turns, coding = false, window, state = false, seed = 7 }: RunShape): Trace {
  const texts = createRandomTexts(seed)
  const tools = Array.from({ length: 20 }, (_, n) => makeTool(texts, n))
  const systemPrompt = texts.sentence(4000)
  const question = texts.sentence(600)
  const history: Message[] = []
  const recorder = new TraceRecorder({ id: 'run_bench', createdAt: startedAt })
  let time = startedAt
  let calls = 0
  const append = (type: Trace['steps'][number]['type'], payload: unknown) => {
    time += 1 + Math.floor(texts.chance() * 900)
    recorder.append(type, payload, time)
  }
  for (let turn = 1; turn <= turns; turn++) {
    const content = state ? `${question}\nStep ${turn} of ${turns}: ${texts.sentence(60)}` : question
    append('model_input', {
      messages: [{ role: 'user', content }, ...history.slice(window === undefined ? 0 : -window)],
      tools,
      systemPrompt,
      model: 'claude-sonnet-4-5',
      params: { maxTokens: 8192, temperature: 0, toolChoice: { type: 'auto' } },
    })
    if (turn === turns) break
    const made = Array.from({ length: countOfCalls(texts) }, () => makeCall(texts, tools, coding, calls++))
    const said = texts.chance() < 0.6 ? texts.sentence(120 + Math.floor(texts.chance() * 200)) : undefined
    append('model_output', { type: 'tool_calls', calls: made, ...(said !== undefined && { text: said }) })
    const results = made.map(({ toolCallId, toolName }) => ({ toolCallId, toolName, ...makeResult(texts, coding) }))
    for (const [n, call] of made.entries()) {
      append('tool_call', call)
      append('tool_result', results[n])
    }
    history.push(
      {
        role: 'assistant',
        content: [
          ...(said === undefined ? [] : [{ type: 'text' as const, text: said }]),
          ...made.map((call): MessagePart => ({ type: 'tool_use', ...call })),
        ],
      },
      { role: 'user', content: results.map((result) => ({ type: 'tool_result', ...result }) as MessagePart) },
    )
  }
  const answer = texts.sentence(900)
  append('model_output', { type: 'final_answer', text: answer })
  append('metadata', { event: 'run_completed', status: 'success', result: answer })
  return recorder.toTrace()
}

function makeTool(texts: RandomTexts, n: number): ToolDefinition {
  const properties: JsonObject = {}
  const count = 2 + Math.floor(texts.chance() * 3)
  while (Object.keys(properties).length < count) properties[`${texts.word()}_${texts.word()}`] = makeProperty(texts)
  return {
    name: `${texts.word()}_${texts.word()}_${n}`,
    description: texts.sentence(160),
    inputSchema: {
      type: 'object',
      properties,
      required: Object.keys(properties).slice(0, 2),
      additionalProperties: false,
    },
  }
}

function makeProperty(texts: RandomTexts): JsonObject {
  const kind = texts.chance()
  if (kind < 0.25) {
    return { type: 'string', enum: [texts.word(), texts.word(), texts.word()], description: texts.sentence(50) }
  }
  if (kind > 0.5) return { type: texts.oneOf(['string', 'number', 'boolean']), description: texts.sentence(60) }
  return {
    type: 'array',
    description: texts.sentence(55),
    items: {
      type: 'object',
      properties: { path: { type: 'string' }, line: { type: 'integer', minimum: 1 } },
      required: ['path'],
      additionalProperties: false,
    },
  }
}

const countOfCalls = (texts: RandomTexts): number => (texts.chance() < 0.75 ? 1 : texts.chance() < 0.7 ? 2 : 3)

function makeCall(texts: RandomTexts, tools: ToolDefinition[], coding: boolean, n: number): ToolCall {
  const path = `src/${texts.word()}/${texts.word()}.ts`
  const toolInput =
    coding && texts.chance() < 0.3
      ? { path, old_string: texts.code(200), new_string: texts.code(300) }
      : { path, query: texts.sentence(40), limit: Math.floor(texts.chance() * 50) }
  return { toolCallId: `call-${n}`, toolName: texts.oneOf(tools).name, toolInput }
}

function makeResult(texts: RandomTexts, coding: boolean): { result: unknown } | { error: string } {
  const size = Math.round(200 * 40 ** texts.chance())
  const kind = texts.chance()
  if (kind < 0.08) return { error: texts.sentence(200) }
  if (kind < 0.4) return { result: texts.code(size) }
  if (kind < 0.55) return { result: texts.listing(size) }
  if (kind < 0.8) return { result: coding ? texts.code(size) : texts.records(size) }
  return { result: texts.sentence(size) }
}
