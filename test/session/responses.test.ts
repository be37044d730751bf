import type { Cassette } from '@retake/session'
import type OpenAI from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Scripted } from '../support/fake-provider/reply.ts'
import { responsesCall, responsesReply, responsesText } from '../support/fake-provider/responses.ts'
import { outcomeOf, recordAndReplay } from './record-and-replay.ts'
import { openaiAt } from './sdk-clients.ts'

const tools: OpenAI.Responses.FunctionTool[] = [
  {
    type: 'function',
    name: 'lookup',
    description: 'Looks an order up.',
    parameters: {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    },
    strict: true,
  },
]

const script = (): Scripted[] => [
  responsesReply(
    {
      id: 'resp_first',
      output: [
        { type: 'reasoning', id: 'rs_first', summary: ['They ask about two orders.'], encrypted_content: 'Z0FBQUFB' },
        responsesText('Let me look.', 'msg_first'),
        responsesCall('call_a', 'lookup', { id: 'A-77' }),
        responsesCall('call_b', 'lookup', '{"id": "B-1"}'),
      ],
    },
    { pieces: 3 },
  ),
  responsesReply(
    { id: 'resp_second', output: [responsesText('A-77 is late, B-1 is not.', 'msg_second')] },
    { pieces: 4 },
  ),
]

type Response = OpenAI.Responses.Response
type Input = OpenAI.Responses.ResponseInputItem
type Ask = (body: OpenAI.Responses.ResponseCreateParamsNonStreaming) => Promise<Response>
/** The input of the second turn, and what beside it leans on the first. */
type Continue = (
  history: Input[],
  reply: Response,
  results: Input[],
) => { input: Input[]; previous_response_id?: string }

const resultsOf = ({ output }: Response): Input[] =>
  output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ type: 'function_call_output', call_id: item.call_id, output: `${JSON.parse(item.arguments).id} found` }]
      : [],
  )

const withoutIds = (item: object) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'id' && name !== 'call_id'))

/** Two turns; what the agent saw, without ids and times. */
const loop = async (ask: Ask, next: Continue): Promise<unknown> => {
  const history: Input[] = [{ role: 'user', content: 'Where are A-77 and B-1?' }]
  const base = { model: 'gpt-5', instructions: 'Be brief.', tools }
  const first = await ask({ ...base, input: history })
  const second = await ask({ ...base, ...next(history, first, resultsOf(first)) })
  return [first, second].map(({ output, output_text, status, usage, model }) => ({
    output: output.map(withoutIds),
    output_text,
    status,
    usage,
    model,
  }))
}

const asks: Record<string, (url: string) => Ask> = {
  create: (url) => (body) => openaiAt(url).responses.create(body),
  stream: (url) => (body) =>
    openaiAt(url)
      .responses.stream(body as never)
      .finalResponse() as never,
}

const continues: Record<string, Continue> = {
  'the whole history': (history, { output }, results) => ({
    input: [...history, ...(output as Input[]), ...results],
  }),
  previous_response_id: (_, { id }, results) => ({ input: results, previous_response_id: id }),
  'item references': (history, { output }, results) => ({
    input: [
      ...history,
      ...output.map(
        (item): Input => (item.type === 'function_call' ? item : { type: 'item_reference', id: item.id ?? '' }),
      ),
      ...results,
    ],
  }),
}

describe.each(Object.entries(asks))('a tool loop over responses.%s', (_, ask) => {
  test.each(Object.entries(continues))('with %s replays as it was recorded', async (_, next) => {
    const { recorded, replayed, requests } = await recordAndReplay(script(), (url) => loop(ask(url), next))
    expect(recorded.result).toMatchObject({ kind: 'recorded', liveCalls: 2, errors: [] })
    expect(replayed.result).toMatchObject({ kind: 'replayed', liveCalls: 0, unused: 0, errors: [] })
    expect(replayed.value).toEqual(recorded.value)
    expect(requests).toBe(2)
  })
})

/** Of the last request. */
const lastMessages = ({ trace }: Cassette): { role: string }[] => {
  const step = trace.steps.findLast(({ type }) => type === 'model_input')
  return (step?.payload as { messages: { role: string }[] } | undefined)?.messages ?? []
}

test('history that the provider holds is written whole, and matches the same history sent whole', async () => {
  const orders = ['previous_response_id', 'the whole history', 'item references']
  const { replayed } = await recordAndReplay(script(), (url) =>
    loop(asks.create?.(url) as Ask, continues[orders.shift() ?? ''] as Continue),
  )
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  const messages = lastMessages(replayed.cassette)
  expect(messages).toMatchObject([
    { role: 'user', content: 'Where are A-77 and B-1?' },
    {
      role: 'assistant',
      content: [{ type: 'text', text: 'Let me look.' }, { toolName: 'lookup' }, { toolName: 'lookup' }],
    },
    { role: 'user', content: [{ result: 'A-77 found' }, { result: 'B-1 found' }] },
  ])
})

test('a third turn has the history of the first two', async () => {
  const replies = [...script(), responsesReply({ id: 'resp_third', output: [responsesText('Bye.', 'msg_third')] })]
  const { recorded, replayed } = await recordAndReplay(replies, async (url) => {
    const { responses } = openaiAt(url)
    const ask = (input: string, previous?: Response) =>
      responses.create({ model: 'gpt-5', input, ...(previous && { previous_response_id: previous.id }) })
    const second = await ask('Two', await ask('One'))
    return (await ask('Three', second)).output_text
  })
  expect([recorded.value, replayed.value, replayed.result.errors]).toEqual(['Bye.', 'Bye.', []])
  expect(lastMessages(recorded.cassette).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ])
})

test.each<[string, object]>([
  ['previous_response_id', { input: 'And now?', previous_response_id: 'resp_of_last_week' }],
  ['item_reference', { input: [{ type: 'item_reference', id: 'msg_of_last_week' }] }],
])('%s from outside the run is refused, and nothing is sent', async (field, members) => {
  const run = recordAndReplay([], (url) =>
    outcomeOf(openaiAt(url).responses.create({ model: 'gpt-5', ...members } as never)),
  )
  const { recorded, requests } = await run
  expect(requests).toBe(0)
  expect(recorded.result).toMatchObject({
    kind: 'failed',
    errors: [{ code: 'RETAKE_UNSUPPORTED', details: { name: 'history from outside the run' } }],
  })
  expect(recorded.result.errors[0]?.message).toContain(field)
})

test('structured output is parsed from a replay', async () => {
  const city = z.object({ city: z.string(), celsius: z.number() })
  const replies = [responsesReply({ output: [responsesText('{"city":"Paris","celsius":18}')] })]
  const { replayed } = await recordAndReplay(replies, async (url) => {
    const text = { format: zodTextFormat(city, 'weather') }
    return (await openaiAt(url).responses.parse({ model: 'gpt-5', input: 'Paris?', text })).output_parsed
  })
  expect(replayed).toMatchObject({ value: { city: 'Paris', celsius: 18 }, result: { kind: 'replayed', errors: [] } })
})

test.each([false, true])(
  'a reply that failed is an attempt that failed, and fails again (stream: %s)',
  async (stream) => {
    const error = { code: 'server_error', message: 'The model crashed.' }
    const failed = responsesReply({ output: [responsesText('The ord')], status: 'failed', error })
    const { recorded, replayed } = await recordAndReplay([failed], async (url) => {
      const { responses } = openaiAt(url)
      const body = { model: 'gpt-5', input: 'Hi' }
      const reply = stream ? ((await responses.stream(body).finalResponse()) as Response) : await responses.create(body)
      return { status: reply.status, error: reply.error }
    })
    expect(recorded.value).toEqual({ status: 'failed', error })
    expect(replayed).toMatchObject({ value: recorded.value, result: { kind: 'replayed', errors: [] } })
  },
)
