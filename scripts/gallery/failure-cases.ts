import type OpenAI from 'openai'

type Message = OpenAI.ChatCompletionMessageParam

/** One model request of an agent. */
export interface Asked {
  model?: string
  messages: Message[]
  tools?: OpenAI.ChatCompletionTool[]
  [param: string]: unknown
}

/** A call of a wrapped tool, which gives its result. */
export interface Called {
  tool: string
  input: unknown
  result: unknown
}

export type Act = Asked | Called

/** What an agent did when it was recorded, and what it does now. */
export interface FailureCase {
  name: string
  recorded: Act[]
  received: Act[]
}

const say = (role: 'system' | 'user' | 'assistant', content: string): Message => ({ role, content })
const call = (id: string, name: string, input: object): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
})
const result = (id: string, value: unknown): Message => ({
  role: 'tool',
  tool_call_id: id,
  content: typeof value === 'string' ? value : JSON.stringify(value),
})
const tool = (
  name: string,
  properties: object,
  required: string[] = [],
  description = '',
): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties, required } },
})

const prompt = Array.from({ length: 40 }, (_, nth) =>
  nth === 22
    ? 'Refund only orders that are more than 14 days late, and never more than their total, whatever the customer says.'
    : `Rule ${nth + 1}: answer questions about part ${nth + 1} of the shop in one or two sentences, politely.`,
).join('\n')
const order = (eta: string) => ({
  id: 'A-77',
  customer: { name: 'Ada', address: { street: 'Main street 1', city: 'London', zip: 'N1' } },
  lines: Array.from({ length: 12 }, (_, nth) => ({ sku: `SKU-${nth}`, count: nth + 1, price: 9.95 })),
  shipping: {
    carrier: 'Post',
    legs: [
      { from: 'Hull', to: 'Leeds' },
      { from: 'Leeds', to: 'London', eta },
    ],
  },
})
const tools = [
  tool('lookup_order', { orderId: { type: 'string' } }, ['orderId']),
  tool('refund', { amount: { type: 'number' } }),
  tool('send_mail', {}),
]
const asked = (...messages: Message[]): Asked => ({
  messages: [say('system', 'You are a refund agent.'), ...messages],
  tools,
})
const where = say('user', 'Where is A-77?')
const one = (recorded: Asked, received: Asked) => ({ recorded: [recorded], received: [received] })
const user = (before: string, after: string) => one(asked(say('user', before)), asked(say('user', after)))
const image = (data: string): Message => ({
  role: 'user',
  content: [
    { type: 'text', text: 'What is on this picture?' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from(data).toString('base64')}` } },
  ],
})
const turns = (changed: boolean): Message[] =>
  Array.from({ length: 30 }, (_, nth) => [
    say('user', `Question ${nth}: what about order B-${nth}?`),
    say('assistant', `Order B-${nth} ${changed && nth === 17 ? 'will arrive' : 'arrived'} on time.`),
  ]).flat()

export const failureCases: FailureCase[] = [
  {
    name: 'user text',
    ...user(
      'Where is my order A-77? I have been waiting for it.',
      'Where is my order A-78? I have been waiting for it.',
    ),
  },
  {
    name: 'one word in a prompt of 40 lines',
    ...one(
      { messages: [say('system', prompt), where] },
      { messages: [say('system', prompt.replace('14 days', '10 days')), where] },
    ),
  },
  {
    name: 'a deep member of a tool result',
    ...one(
      asked(where, call('a', 'lookup_order', { orderId: 'A-77' }), result('a', order('2026-03-01'))),
      asked(where, call('a', 'lookup_order', { orderId: 'A-77' }), result('a', order('2026-03-05'))),
    ),
  },
  {
    name: 'arguments of a call in the history',
    ...one(
      asked(where, call('a', 'lookup_order', { orderId: 'A-77', deep: true }), result('a', 'late')),
      asked(where, call('a', 'lookup_order', { orderId: 'A-78', deep: true }), result('a', 'late')),
    ),
  },
  {
    name: 'arguments of a wrapped tool',
    recorded: [
      asked(where),
      { tool: 'lookup_order', input: { orderId: 'A-77', options: { tax: true, currency: 'EUR' } }, result: 'late' },
    ],
    received: [
      asked(where),
      { tool: 'lookup_order', input: { orderId: 'A-77', options: { tax: false, currency: 'EUR' } }, result: 'late' },
    ],
  },
  {
    name: 'many arguments of a wrapped tool',
    recorded: [
      asked(where),
      { tool: 'book', input: Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`field${n}`, n])), result: 'ok' },
    ],
    received: [
      asked(where),
      {
        tool: 'book',
        input: Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`field${n}`, n * 2])),
        result: 'ok',
      },
    ],
  },
  {
    name: 'a wrapped tool that was not called before',
    recorded: [asked(where)],
    received: [asked(where), { tool: 'lookup_order', input: { orderId: 'A-77' }, result: 'late' }],
  },
  {
    name: 'a request more',
    recorded: [asked(where)],
    received: [asked(where), asked(where, say('user', 'Are you sure?'))],
  },
  { name: 'the same request again', recorded: [asked(where)], received: [asked(where), asked(where)] },
  {
    name: 'a request less',
    recorded: [asked(where), asked(say('user', 'And B-1?')), asked(say('user', 'And C-1?'))],
    received: [asked(where)],
  },
  {
    name: 'another order',
    recorded: [asked(where), asked(say('user', 'And B-1?'))],
    received: [asked(say('user', 'And B-1?')), asked(where)],
  },
  { name: 'another model', ...one({ ...asked(where), model: 'gpt-5.5' }, { ...asked(where), model: 'gpt-5.5-mini' }) },
  {
    name: 'parameters',
    ...one(
      { ...asked(where), temperature: 0, max_tokens: 1000, stop: ['END'] },
      { ...asked(where), temperature: 0.7, max_tokens: 1000, seed: 1e21, response_format: { type: 'json_object' } },
    ),
  },
  {
    name: 'schemas of tools',
    ...one(asked(where), {
      ...asked(where),
      tools: [
        tool(
          'lookup_order',
          { orderId: { type: 'string', pattern: '^A-[0-9]+$', description: 'Its number' }, tax: { type: 'boolean' } },
          ['orderId', 'tax'],
          'Looks an order up.',
        ),
        tool('refund', { amount: { type: 'integer' } }),
        tool('cancel', { orderId: { type: 'string' }, reason: { enum: ['late', 'broken'] } }, ['orderId']),
      ],
    }),
  },
  { name: 'another image', ...one(asked(image('a cat')), asked(image('a dog'))) },
  { name: 'streamed instead of whole: no difference', ...one(asked(where), { ...asked(where), stream: true }) },
  {
    name: 'twelve differences',
    ...one(
      { ...asked(where, say('assistant', 'Late.'), say('user', 'Thanks.')), temperature: 0, top_p: 1 },
      {
        ...asked(
          say('user', 'Where is A-78?'),
          say('assistant', 'In time.'),
          say('user', 'Thank you.'),
          say('user', 'Bye.'),
        ),
        messages: [
          say('system', 'You are a support agent.'),
          say('user', 'Where is A-78?'),
          say('assistant', 'In time.'),
          say('user', 'Thank you.'),
          say('user', 'Bye.'),
        ],
        model: 'gpt-6',
        temperature: 1,
        top_p: 0.5,
        seed: 1,
        tools: [
          tool('lookup_order', { id: { type: 'string' } }, ['id'], 'New'),
          tool('refund', { amount: { type: 'string' } }),
        ],
      },
    ),
  },
  { name: 'one difference in 30 turns', ...one(asked(...turns(false), where), asked(...turns(true), where)) },
  { name: 'trailing space', ...user('Where is A-77?', 'Where is A-77? ') },
  { name: 'space inside', ...user('Where is  A-77?', 'Where is A-77?') },
  { name: 'tab for spaces', ...user('a\tb\tc', 'a  b\tc') },
  { name: 'CRLF for LF', ...user('one\r\ntwo\r\nthree', 'one\ntwo\nthree') },
  { name: 'final line feed', ...user('one\ntwo\n', 'one\ntwo') },
  { name: 'indentation in a text of several lines', ...user('def f():\n  return 1\n', 'def f():\n    return 1\n') },
  { name: 'empty text', ...user('', 'Where is A-77?') },
  {
    name: 'CJK',
    ...user('我的订单在哪里？它已经迟到了十四天。请退款。', '我的订单在哪里？它已经迟到了十天。请退款。'),
  },
  { name: 'emoji', ...user('Thanks 👍🏽 family 👨‍👩‍👧 flag 🇩🇪 done', 'Thanks 👍 family 👨‍👩‍👦 flag 🇫🇷 done') },
  { name: 'right to left', ...user('أين طلبي رقم 77؟ שלום', 'أين طلبي رقم 78؟ שלום') },
  { name: 'combining marks and look-alikes', ...user('café naïve A', 'cafe\u0301 naïve А') },
  {
    name: 'control characters and ANSI',
    ...user(
      '\u001b[31mred\u001b[0m \u0007bell \u202Eflip\u202C',
      '\u001b[32mgreen\u001b[0m \u0007bell \u202Eflip\u202C',
    ),
  },
  {
    name: 'a very long word',
    ...user(`https://example.com/${'a'.repeat(300)}/one`, `https://example.com/${'a'.repeat(300)}/two`),
  },
  {
    name: 'a long paragraph, one word',
    ...user(
      `${'Lorem ipsum dolor sit amet. '.repeat(12)}Refund 20 euros. ${'Consectetur adipiscing elit. '.repeat(12)}`,
      `${'Lorem ipsum dolor sit amet. '.repeat(12)}Refund 18 euros. ${'Consectetur adipiscing elit. '.repeat(12)}`,
    ),
  },
  {
    name: 'numbers',
    ...one(
      asked(where, call('a', 'refund', { amount: 1e21, tiny: 1e-7, zero: 0 }), result('a', 'ok')),
      asked(where, call('a', 'refund', { amount: 1e22, tiny: 1e-7, zero: 0 }), result('a', 'ok')),
    ),
  },
  {
    name: 'a message gone',
    ...one(asked(where, say('assistant', 'Late.'), say('user', 'Thanks.')), asked(where, say('user', 'Thanks.'))),
  },
  {
    name: 'a rewritten prompt',
    ...one(
      { messages: [say('system', 'You help customers.\nBe kind.'), where] },
      {
        messages: [
          say('system', 'Act as a lawyer and never admit anything at all to anybody.\nQuote statutes.\nRefuse.'),
          where,
        ],
      },
    ),
  },
  {
    name: 'prompt gone',
    ...one({ messages: [say('system', 'You help customers.\nBe kind.'), where] }, { messages: [where] }),
  },
  { name: 'only dates', ...user('Today is 2026-03-01. Where is A-77?', 'Today is 2026-03-02. Where is A-77?') },
]
