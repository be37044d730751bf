import { stripVTControlCharacters } from 'node:util'
import { compareRequests } from '@retake/compare'
import type { Message, ModelInput, ToolDefinition } from '@retake/trace'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RequestDifferenceOptions, renderRequestDifference } from './request-difference.ts'
import { createStyle } from './style.ts'
import { textWidth } from './text-width.ts'

const tool = (name: string, properties: object = {}, required: string[] = []): ToolDefinition => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties, required } as never,
})
const asked: Message = {
  role: 'assistant',
  content: [{ type: 'tool_use', toolCallId: 'a', toolName: 'lookup_order', toolInput: { orderId: 'A-77' } }],
}
const answered: Message = {
  role: 'user',
  content: [{ type: 'tool_result', toolCallId: 'a', toolName: 'lookup_order', result: 'late: 16 days' }],
}
const question: Message = { role: 'user', content: 'Where is A-77?' }
const base: ModelInput = {
  model: 'gpt-5',
  systemPrompt: [
    'You are the refund agent of Acme.',
    'Refund only orders that are more than 14 days late.',
    'Answer in one sentence.',
  ].join('\n'),
  params: { temperature: 0 },
  tools: [tool('lookup_order', { orderId: { type: 'string' } }, ['orderId']), tool('refund'), tool('send_mail')],
  messages: [question, asked, answered],
}

const render = (recorded: ModelInput, received: ModelInput, options: Partial<RequestDifferenceOptions> = {}): string =>
  renderRequestDifference({
    recorded,
    received,
    differences: compareRequests(recorded, received),
    style: createStyle(),
    ...options,
  })

test('a changed system prompt is a line difference', () => {
  const received = { ...base, systemPrompt: base.systemPrompt?.replace('more than 14 days', 'at least 10 days') ?? '' }
  expect(render(base, received)).toBe(
    `
  - Recorded    + Received
    system
      You are the refund agent of Acme.
    - Refund only orders that are more than 14 days late.
    + Refund only orders that are at least 10 days late.
      Answer in one sentence.
  equal: model, 3 messages, 3 tools, params`.slice(1),
  )
})

test('a changed schema is a typed outline of what changed', () => {
  const properties = { orderId: { type: 'string', pattern: '^A-[0-9]+$' }, includeTax: { type: 'boolean' } }
  const lookup = tool('lookup_order', properties, ['orderId', 'includeTax'])
  const { model: _, ...recorded } = { ...base, messages: [question] }
  expect(render(recorded, { ...recorded, tools: [lookup, ...base.tools.slice(1)] })).toBe(
    `
  - Recorded    + Received
    tools › lookup_order › input › properties
    - orderId     string
    + orderId     string, pattern ^A-[0-9]+$
    + includeTax  boolean   (new, required)
  equal: system, 1 message, 2 other tools (refund, send_mail), params`.slice(1),
  )
})

test('a message more is one line in its conversation', () => {
  const received = {
    ...base,
    messages: [...base.messages, { role: 'user', content: 'Remember to be polite.' } as const],
  }
  expect(render(base, received)).toBe(
    `
  - Recorded    + Received
    messages
      1 user       Where is A-77?
      2 assistant  → lookup_order {"orderId":"A-77"}
      3 tool       late: 16 days
    + 4 user       Remember to be polite.
  equal: model, system, 3 other messages, 3 tools, params
  The extra message is at position 4 of 4. Everything before it is equal.`.slice(1),
  )
})

test('a message gone from a long conversation shows its neighbours only', () => {
  const long = { ...base, messages: Array.from({ length: 10 }, () => base.messages).flat() }
  const text = render(long, { ...long, messages: long.messages.toSpliced(15, 1) })
  expect(text).toContain('… 12 equal messages')
  expect(text).toContain('    - 16 user       Where is A-77?')
  expect(text).toContain('The missing message is at position 16 of 30. Everything else is equal.')
  expect(text.split('\n').length).toBeLessThan(13)
})

test('of a long result only the members that differ are shown', () => {
  const result = (eta: string) => ({ lines: Array.from({ length: 30 }, (_, sku) => ({ sku })), shipping: { eta } })
  const answer = (value: object): Message => ({
    role: 'user',
    content: [{ type: 'tool_result', toolCallId: 'a', toolName: 'lookup_order', result: JSON.stringify(value) }],
  })
  const messages = [question, asked]
  const text = render(
    { ...base, messages: [...messages, answer(result('2026-03-01'))] },
    { ...base, messages: [...messages, answer(result('2026-03-05'))] },
  )
  expect(text.split('\n').slice(2, 7)).toEqual([
    '      1 user       Where is A-77?',
    '      2 assistant  → lookup_order {"orderId":"A-77"}',
    '      3 tool',
    '    - shipping.eta  "2026-03-01"',
    '    + shipping.eta  "2026-03-05"',
  ])
})

test('a message without text is named as that', () => {
  const text = render({ ...base, messages: [{ role: 'user', content: '' }] }, { ...base, messages: [question] })
  expect(text).toContain('    - 1 user       (empty)\n    + 1 user       Where is A-77?')
})

test('model, params, changed calls and results are lines of both sides', () => {
  const messages = structuredClone(base.messages)
  Object.assign(messages[1]?.content[0] ?? {}, { toolInput: { orderId: 'A-78' } })
  Object.assign(messages[2]?.content[0] ?? {}, { result: 'late: 17 days' })
  const text = render(base, { ...base, model: 'gpt-6', params: { temperature: 0.7, seed: 4 }, messages })
  expect(text.split('\n').slice(1, -1)).toEqual(
    `
    model
    - gpt-5
    + gpt-6
    params
    - temperature  0
    + temperature  0.7
    + seed         4
    messages
      1 user       Where is A-77?
    - 2 assistant  → lookup_order {"orderId":"A-77"}
    + 2 assistant  → lookup_order {"orderId":"A-78"}
    - 3 tool       late: 16 days
    + 3 tool       late: 17 days`
      .slice(1)
      .split('\n'),
  )
})

test('tools in another order are no difference, and it says so', () => {
  const received = { ...base, tools: base.tools.toReversed(), model: 'gpt-6' }
  expect(render(base, received)).toContain('3 tools (in another order, which is no difference)')
})

test('a tool more, a tool less and a changed description are told', () => {
  const lookup = { ...tool('lookup_order', { orderId: { type: 'string' } }, ['orderId']), description: 'Looks up.' }
  const escalate = tool('escalate', { to: { enum: ['a', 'b'] }, why: { type: 'string' } }, ['to'])
  const text = render(base, { ...base, tools: [lookup, escalate, tool('send_mail')] })
  expect(text).toContain('    tools › lookup_order › description\n    + Looks up.\n')
  expect(text).toContain('    tools\n    + escalate(to: "a" | "b", why?: string)\n    - refund()\n')
  expect(text).toContain('1 other tool (send_mail)')
})

test('white space that changed is visible without colour', () => {
  expect(render(base, { ...base, systemPrompt: `${base.systemPrompt} ` })).toContain('+ Answer in one sentence.·\n')
  const spaced = base.systemPrompt?.replace('Refund only', 'Refund  only') ?? ''
  expect(render(base, { ...base, systemPrompt: spaced })).toContain('+ Refund··only orders')
  expect(render(base, { ...base, systemPrompt: `${base.systemPrompt}\n` })).toContain('+ (empty line)\n')
})

test('a change far inside a long line is in view on both sides', () => {
  const prompt = (word: string) => `${'lorem ipsum '.repeat(200)}${word} ${'dolor sit '.repeat(200)}`
  const [recorded, received] = [prompt('four'), prompt('five')].map((systemPrompt) => ({ ...base, systemPrompt }))
  const text = render(recorded as ModelInput, received as ModelInput, { width: 80 })
  expect(text).toMatch(/- ….*four.*…\n.*\+ ….*five.*…\n/)
})

test('which call a result answers is told where no row shows it', () => {
  const two: Message = {
    role: 'assistant',
    content: ['a', 'b'].map((toolCallId) => ({ type: 'tool_use', toolCallId, toolName: 'x', toolInput: {} })),
  }
  const results = (...ids: string[]): Message => ({
    role: 'user',
    content: ids.map((toolCallId) => ({ type: 'tool_result', toolCallId, toolName: 'x', result: 'same' })),
  })
  const [recorded, received] = [results('a', 'b'), results('a', 'a')].map((last) => ({
    ...base,
    messages: [two, last],
  }))
  expect(render(recorded as ModelInput, received as ModelInput)).toContain(
    'messages[1].content[1].toolCallId  "call-1"',
  )
})

test('everything changed still fits, and what has no room is counted', () => {
  const messages = Array.from(
    { length: 40 },
    (_, at): Message => ({ role: at % 2 ? 'assistant' : 'user', content: `${at}` }),
  )
  const received = {
    ...base,
    systemPrompt: 'x\n'.repeat(100),
    params: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`p${at}`, at])),
    tools: base.tools.map((each) => ({ ...each, description: 'New.', inputSchema: { type: 'string' } })),
    messages,
  }
  const text = render(base, received)
  expect(text.split('\n').length).toBeLessThanOrEqual(25)
  expect(text).toMatch(/… \d+ more (difference|line)s/)
})

test('colours add nothing but colours, recorded green and received red', () => {
  const received = { ...base, systemPrompt: 'Other.', messages: [...base.messages, question] }
  const coloured = render(base, received, { style: createStyle({ colors: true }) })
  expect(stripVTControlCharacters(coloured)).toBe(render(base, received))
  expect(coloured).toContain('\u001b[32m- Recorded\u001b[39m    \u001b[31m+ Received\u001b[39m')
})

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('a\nb', '\u001b[31mred', '\u202e', '日本語'.repeat(60)),
)
const message = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: fc.oneof(
    text,
    fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text'), text }),
        fc.record({ type: fc.constant('tool_use'), toolCallId: text, toolName: text, toolInput: fc.jsonValue() }),
        fc.record({ type: fc.constant('tool_result'), toolCallId: text, toolName: text, result: fc.jsonValue() }),
      ),
      { maxLength: 3 },
    ),
  ),
})
const request = fc.record(
  {
    messages: fc.array(message, { maxLength: 6 }),
    tools: fc.uniqueArray(fc.record({ name: text, description: text, inputSchema: fc.jsonValue() }), {
      maxLength: 3,
      selector: ({ name }) => name,
    }),
    systemPrompt: text,
    model: text,
    params: fc.dictionary(text, fc.jsonValue(), { maxKeys: 3 }),
  },
  { requiredKeys: ['messages', 'tools'] },
) as fc.Arbitrary<ModelInput>

test('whatever a request holds, the text is safe to print, fits, and names what differs', () => {
  fc.assert(
    fc.property(request, request, (recorded, received) => {
      const plain = render(recorded, received, { width: 80 })
      expect(plain).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
      const lines = plain.split('\n')
      expect(lines.length).toBeLessThanOrEqual(25)
      for (const line of lines.slice(0, -1)) expect(textWidth(line)).toBeLessThanOrEqual(80)
      const differs = compareRequests(recorded, received).length > 0
      expect(lines.some((line) => /^ {4}[-+…]/.test(line))).toBe(differs)
      const coloured = render(recorded, received, { width: 80, style: createStyle({ colors: true }) })
      expect(stripVTControlCharacters(coloured)).toBe(plain)
    }),
    { numRuns: 200 },
  )
})
